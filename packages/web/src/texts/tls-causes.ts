/** What each result type of a TLS report means, and what to do. (RFC 8460, 4.3) */
export const tlsCauses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'starttls-not-supported': 'The mail server did not offer STARTTLS. Switch it on.',
    'certificate-host-mismatch': 'The certificate is for another name. Get one for the name in the MX record.',
    'certificate-expired': 'The certificate has expired. Renew it.',
    'certificate-not-trusted': 'The certificate is not signed by an authority that senders trust.',
    'validation-failure': 'The certificate could not be validated, for another reason.',
    'tlsa-invalid': 'No TLSA record was valid, as when none matches a renewed certificate. Publish one that does.',
    'dnssec-invalid': 'The DNSSEC signatures do not validate. Ask the operator of the DNS.',
    'dane-required': 'The sender wants DANE, and no TLSA record was found.',
    'sts-policy-fetch-error': 'The MTA-STS policy file could not be fetched. Check the web server at mta-sts.',
    'sts-policy-invalid': 'The MTA-STS policy file cannot be read. Correct it.',
    'sts-webpki-invalid': 'The certificate of the web server with the MTA-STS policy is not valid.',
  }),
);
