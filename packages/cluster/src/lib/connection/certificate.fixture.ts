/** A key for the certificate below alone, for test servers on 127.0.0.1. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgn0rtlFe2Df6D78sJ
5ZGzmlP0qvTyhgyc9xCE1cdf+m2hRANCAATspXwVTiIP0WgpxybXatbY7U47nmke
S2ub+z5qWvKqXQ9NOO3rZ8iUIiRnfo74YZRQYqAB/alhfst9wFBMkNjI
-----END PRIVATE KEY-----
`;

/** A self-signed certificate, which is its own authority. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBhjCCASygAwIBAgIUJ0wrdHfV7WRfurlV4Sclb6nivOkwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjMxNDM1MTdaGA8yMTI2MTAzMDE0MzUx
N1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOyl
fBVOIg/RaCnHJtdq1tjtTjueaR5La5v7Pmpa8qpdD0047etnyJQiJGd+jvhhlFBi
oAH9qWF+y33AUEyQ2MijZDBiMB0GA1UdDgQWBBSD8FCM69WmIFpmoEffenIvNwkY
pTAfBgNVHSMEGDAWgBSD8FCM69WmIFpmoEffenIvNwkYpTAPBgNVHRMBAf8EBTAD
AQH/MA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIhALVSedmi6Gqe
3TBTFq+AkGlgCb5OqRzMeoyG9/fRlOyeAiAo2OmxxULzhQVM08CurfG4z+L6cft1
qsqfindthYZrdw==
-----END CERTIFICATE-----
`;
