/** Opens a link that signs a person in, as a browser does, and returns the cookie of the session. */
export async function signInCookie(link: string): Promise<string> {
  const { origin, searchParams, pathname } = new URL(link);
  const response = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }).toString(),
    redirect: 'manual',
  });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  if (response.status !== 303 || cookie === '') throw new Error(`the link answered ${response.status}`);
  return cookie;
}

/** Whether a session opens the overview. */
export async function opensPages(origin: string, cookie: string): Promise<boolean> {
  const response = await fetch(`${origin}/`, { headers: { cookie }, redirect: 'manual' });
  return response.status === 200 && (await response.text()).includes('Overview');
}
