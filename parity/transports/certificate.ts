/** The private key of the self-signed certificate for spec.test. Both are for tests only. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7AiOLpK1q7OSY+br
M29Vck2SeKXRN35pU64FF90vLtGhRANCAARo+wjrSiutnplKjlwihbaKQd/jvIpx
ElKNPulirV30meaThmfaLdjFMfinBzgkD/oQ5TRNge6Iegh8qvnFuMW/
-----END PRIVATE KEY-----
`;

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUG9wHa+ETtltrkkm3nBdu1QjycCowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc3BlYy50ZXN0MCAXDTI2MTEyMDE5NDE0MVoYDzIxMjYxMDI3
MTk0MTQxWjAUMRIwEAYDVQQDDAlzcGVjLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARo+wjrSiutnplKjlwihbaKQd/jvIpxElKNPulirV30meaThmfaLdjF
MfinBzgkD/oQ5TRNge6Iegh8qvnFuMW/o1MwUTAdBgNVHQ4EFgQUV5FGJuGDsdKM
W0ofyyBbkcEiubcwHwYDVR0jBBgwFoAUV5FGJuGDsdKMW0ofyyBbkcEiubcwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAx21R5EeYKGD50x3GrnpP
OgPrLVr6bSzuukf/DqhnLMQCIBn+VPR5dcn7rsicC3nyIeQrnca/dDbkvcMzWLSb
SOkp
-----END CERTIFICATE-----
`;
