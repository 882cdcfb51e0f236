import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../processes.ts';

/** Returns a certificate for 127.0.0.1 that is its own authority, as cert-manager would write it. */
export async function makeCertificate(): Promise<{ readonly certDir: string; readonly certFile: string }> {
  const certDir = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certFile, keyFile] = ['tls.crt', 'tls.key'].map((name) => join(certDir, name));
  if (certFile === undefined || keyFile === undefined) throw new Error('there are two files');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const names = ['-subj', '/CN=webhook', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await runProgram('openssl', ['req', '-x509', '-days', '2', ...key, ...names, '-out', certFile]);
  return { certDir, certFile };
}
