import type { ProjectSchemas } from '../project-schemas.ts';

// Written by npm run schemas.
export const schemas: ProjectSchemas = {
  release: 'Linkerd of 2026-08-21',
  source: 'https://github.com/linkerd/linkerd2/tree/b24cd4059/charts/linkerd-crds/templates/policy',
  definitions: {
    'authorizationpolicy.policy.linkerd.io': {
      sha256: '505948cf6af162c8e263b835dcf67b0aef0e66ccd1c168fdad1fb14be8295ee8',
      gzip: 'H4sIAAAAAAACA+1UwW7bMAz9F6KHppC9ZcGGzpciWC8FiqHIgB6apoBmM7YaW9IoOmiT+d8H2k7azF122m05iQLfe9R7dLagvblFCsZZSKTAJ0YrZYhX5yE27t16DApWxmaQwJc6sKtmGFxNKV7i0ljDglVQIetMs4ZkC1ZXKHQ1F47MRkuLd6VJDYa4PTzHpbErpCw2DhoFwWMqyJxc7SGBYZNqWYM09cNMX9PftABQ4MuadPkndVAQCkf8teOat12bTg0WMkjqvMzeNnidYgYK1p1DAtg/bj3WpS+0mBOQ1phBwlSjgsCOdI77Mi2wal1xHu305up28m1/xc+tmPv+iCmDAsIftSHhmneWLBR4ch6JTff2nVHHkKwpR57h8tW9mIWWTdraMcNlGHK/4P4i0AbQBTJk6SPcQqWfrtHmXEDy4eNEgdfMSLJnDyc/H+Y62ryPPi9O51F/OttdjS5O7+/jow2jsxNQuxkDk7G5rFG3GQfSnyYKKmN35fhgDiGcRne9xjS628v059HFmzrdDgyfeCj0G6xpjsbx4rkm0rLKhrEK/7P4F1n0/ybygb+FHSTX/xZN8wtNcj65MwUAAA==',
    },
    'httplocalratelimitpolicy.policy.linkerd.io': {
      sha256: '9e156e86b78f4f6381ea78860e2b7f18f754d7a233098bed5b3e95130883cfc0',
      gzip: 'H4sIAAAAAAACA+1UUW/TQAz+L9Ye1ukaKIUJ8jJV8ABShapu2sO6TjoSNzVN7g6fU610/e/okrRVyVY0NIkX8mRfbH+fP/tuDdrRNbInayAODt4LmuD6aPHeR2RfLXugYEEmhRg+ll5sMUZvS07wE87IkIRcBQWKTrVoiNdgdIEQw1zE5TbROWvBnAoSZ3NKCH1UGasoJ7NATiOysFHgHSYhPWNbOoihHaSq0j4ENYw+X12NhgFjrAWHAWNUZYECl5es86M8KtTEusD2a6jsdIIpKFjWmniIJ7t2lj2du7kOcnjkJaYQC5eowItlneHOTeZYVDpYh2Yw+nLdv9wdyaoCs9++YyKggPFHSRxqTer+pwocW4csVDe6VeVYpmjOUMY4a6fvf/2hRiVoLXC7SjOSNRT6fogmkznEb971FTgtghyW5+7k4W6iuz9fdz9MTyfdxjrbHnUuTm9vo6MBnbMTUFuOXphMFgZUT/oA+ryvoCCzdXsHPELBQfemwRh0b3Ywjd25eBSnHnO7xUOg39I2GwViJezZcXmDjV78CPkSE2vStsjtkHgNM8uFFoiBjJy/3fMmI5gh1wwoRSMkq39Kwi6RmdJm7eoAzazDXSTBwj+fnYIkJzRhff1LUT2o+ZdM/9+V7WP5XLAnG3rJK7n/ppvNLy//ncTkBgAA',
    },
  },
};
