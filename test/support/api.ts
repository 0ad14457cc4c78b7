/** A request with a key, and the body of its answer, of whatever shape the endpoint has. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
export async function getJson(url: string, key: string): Promise<any> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

const PAGE = 200;

/** Every row of a list, page after page. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function getAll(url: string, key: string, list: string): Promise<any[]> {
  const rows = [];
  for (;;) {
    const paged = `${url}${url.includes('?') ? '&' : '?'}limit=${PAGE}&offset=${rows.length}`;
    const { [list]: page, total } = await getJson(paged, key);
    rows.push(...page);
    if (rows.length >= total || page.length === 0) return rows;
  }
}
