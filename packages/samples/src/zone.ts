/** What a sample domain publishes, by name: its own records and those that they refer to. */
export interface SampleZone {
  txt?: { [name: string]: string[] };
  /** Host names, in order of preference. */
  mx?: { [name: string]: string[] };
  addresses?: { [name: string]: string[] };
  /** What hosts serve by HTTPS: an MTA-STS policy, a logo. */
  files?: { [host: string]: { mediaType: string; body: string } };
}

/** The public half of a key pair whose private half was never kept. */
const KEY_2048 =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuuN7DoHx76wm5IHVdcGiCdyumeXcnlSeTjnq6DN1l6OUuncsuvyFjOA/I0i0/jTC6eltUWLLSr/GRt0BkN00lI8ZebK1f02gQktNn4d91Acw4oTpXJhomrSan/UDoO08EvD9HA1XwkKjQ/phcXaydcrlGNCH6FNvT+X3q0KmBKR8pDMuD4m2WMMgCNYxIg0+q1Ile09N9cwOTpO3/5Z/Xgi8VwsxUItsMjetFFIQvOWEF0UuChU6rxAJFF4nKmx9/qWWbW6c5QlgbGxC1Diq2wOeXvaZDYo7fARnhe4pr/8qDw4Lvp8X+o6uRvHEZc2xh1qlv3FEDouOV1xeYNCNsQIDAQAB';
const KEY_1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDBvVc4Ydw89aqxh4nRkQinlzLlAKBBy/lJByUNjAIPzx22mFqpRxWbXQk0qAP3eOQQMzhsY0gfDqLQIYkLYGfAXS+vJYkHW+/YyTKlxwQ0W62JdZMBlgUTqPcLEtu8uuhbIH32/B8SzJ57VywxIQW0qejcN6P01dW+SylkxEyQJwIDAQAB';

/** DKIM keys: of the usual length, in test mode, too short, revoked. (RFC 6376, 3.6.1) */
export const dkimKey = `v=DKIM1; k=rsa; p=${KEY_2048}`;
export const testedDkimKey = `v=DKIM1; k=rsa; t=y; p=${KEY_2048}`;
export const shortDkimKey = `v=DKIM1; k=rsa; p=${KEY_1024}`;
export const revokedDkimKey = 'v=DKIM1; p=';
