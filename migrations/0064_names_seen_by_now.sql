-- Reports that are dated ahead had their names kept as seen on days to come, before which no real mail counted.
update sending_subdomain set day = current_date where day > current_date;
update sending_subdomain set first_day = current_date where first_day > current_date;
update dkim_selector set last_day = current_date where last_day > current_date;
update dkim_selector set first_day = current_date where first_day > current_date;
