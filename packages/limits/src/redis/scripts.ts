/** Redis's own clock, and token buckets stored as `n` tokens at `t` milliseconds. */
const COMMON = `
local time = redis.call('TIME')
local sec = tonumber(time[1])
local now = sec * 1000 + math.floor(tonumber(time[2]) / 1000)
local function tokens(key, rate, burst)
  local held = redis.call('HMGET', key, 't', 'n')
  local elapsed = math.max(0, now - (tonumber(held[1]) or now))
  return math.min(burst, (tonumber(held[2]) or burst) + elapsed * rate / 1000)
end
local function take(key, rate, burst)
  local left = math.max(-burst, tokens(key, rate, burst) - 1)
  redis.call('HSET', key, 't', string.format('%d', now), 'n', string.format('%.9f', left))
  redis.call('PEXPIRE', key, math.ceil((burst - left) / rate * 1000) + 1000)
end
`;

/**
 * Decides and counts one request in one step. For a refused request only the refusal is stored.
 *
 * The counter of an hour is a hash: `base`, the usage known when it was created, and `n`, what came since;
 * `l:<process>` is what that process has admitted by itself, so that sending it again adds nothing. The field `epoch`
 * holds the id of this instance of the counter: a process that knows of a former one raises `base` to what it saw.
 * Processes of several versions share these hashes during an upgrade, so the names of fields never change.
 *
 * KEYS: 1 counter (the hour is appended), 2 to 4 buckets of key, organization, heavy work, 5 the open journal. ARGV: 1
 * quota or -1, 2 mode (0 abuse limits alone, 1 all, 2 the counter alone, nothing is asked for), 3 heavy (0 or 1), 4 to
 * 9 rate and burst of the three buckets, 10 to 14 what the process knows (hour or -1, counterId, seen, local,
 * reported), 15 the process, 16 an id never used before, 17 organization and key. Returns {outcome, hour, second, wait,
 * used, counterId}; outcome 0 admitted, 1 rate limited, 2 quota exceeded, 3 the use of this hour is not known.
 */
export const ADMIT = `${COMMON}
local hour = math.floor(sec / 3600)
local mode = ARGV[2]
local function journal(what)
  local open = redis.call('GET', KEYS[5])
  if not open then
    open = ARGV[16]
    redis.call('SET', KEYS[5], open)
  end
  redis.call('HINCRBY', KEYS[5] .. ':' .. open, hour .. ':' .. ARGV[17] .. ':' .. what, 1)
end
local function rule(i)
  return KEYS[i + 1], tonumber(ARGV[2 + 2 * i]), tonumber(ARGV[3 + 2 * i])
end
if mode ~= '2' then
  local wait = 0
  for i = 1, 2 + tonumber(ARGV[3]) do
    local key, rate, burst = rule(i)
    local left = tokens(key, rate, burst)
    if left < 1 then wait = math.max(wait, 1, math.ceil((1 - left) / rate)) end
  end
  if wait > 0 then
    journal('rejected')
    return {1, hour, sec, wait, 0, ''}
  end
end
local counter = KEYS[1] .. hour
local base, n, counterId = 0, 0, ''
if mode ~= '0' then
  local mine = 'l:' .. ARGV[15]
  local held = redis.call('HMGET', counter, 'epoch', 'base', 'n', mine)
  local isKnown = tonumber(ARGV[10]) == hour
  local seen, here, reported = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
  counterId, base, n = held[1], tonumber(held[2]) or 0, tonumber(held[3]) or 0
  if not counterId then
    if not isKnown then return {3, hour, sec, 0, 0, ''} end
    counterId, base = ARGV[16], seen
    redis.call('HSET', counter, 'epoch', counterId, 'base', base, 'n', n)
    redis.call('EXPIREAT', counter, (hour + 1) * 3600 + 60)
  elseif isKnown and ARGV[11] ~= '' and ARGV[11] ~= counterId and seen > base then
    base = seen
    redis.call('HSET', counter, 'base', base)
  end
  local before = tonumber(held[4]) or reported
  if isKnown and (here ~= before or (here ~= 0 and not held[4])) then
    n = n + here - before
    redis.call('HSET', counter, 'n', n, mine, here)
  end
end
if mode == '2' then return {0, hour, sec, 0, base + n, counterId} end
for i = 1, 2 do take(rule(i)) end
if mode == '0' then return {0, hour, sec, 0, 0, ''} end
local quota = tonumber(ARGV[1])
if quota >= 0 and base + n >= quota then
  journal('rejected')
  return {2, hour, sec, (hour + 1) * 3600 - sec, base + n, counterId}
end
redis.call('HINCRBY', counter, 'n', 1)
journal('requests')
return {0, hour, sec, 0, base + n + 1, counterId}
`;

/**
 * Begins heavy work: takes a lease among the slots, unless all are taken, and a token of the budget. KEYS: 1 slots, 2
 * bucket of heavy work. ARGV: 1 slots or 0 for uncapped, 2 the lease's id, 3 its milliseconds, 4 rate, 5 burst. Returns
 * 1, or 0 if all slots are taken.
 */
export const ENTER = `${COMMON}
local slots, lease = tonumber(ARGV[1]), tonumber(ARGV[3])
if slots > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
  if redis.call('ZCARD', KEYS[1]) >= slots then return 0 end
  redis.call('ZADD', KEYS[1], string.format('%d', now + lease), ARGV[2])
  redis.call('PEXPIRE', KEYS[1], lease)
end
take(KEYS[2], tonumber(ARGV[4]), tonumber(ARGV[5]))
return 1
`;

/** Closes the open journal; returns the ids of all closed ones. KEYS: 1 the open journal, 2 the closed ones. */
export const CLOSE_JOURNAL = `
local open = redis.call('GET', KEYS[1])
if open then
  redis.call('SADD', KEYS[2], open)
  redis.call('DEL', KEYS[1])
end
return redis.call('SMEMBERS', KEYS[2])
`;
