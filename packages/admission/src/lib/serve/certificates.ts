import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@policy-machinery/resource';

/** A certificate chain and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  /** The authorities of clients. */
  readonly ca?: string;
}

/** The names of the files in a Secret of type `kubernetes.io/tls`, as cert-manager writes it. */
const files = { cert: 'tls.crt', key: 'tls.key' };

/**
 * Reads a certificate and its key, and the authorities of clients if a file is named for them.
 *
 * @throws {Error} If a file cannot be read, or certificate and key do not fit, with advice.
 */
export async function readKeyPair(certDir: string, caName?: string): Promise<KeyPair> {
  const read = (name: string) => readFile(join(certDir, name), 'utf8');
  try {
    const [cert, key] = await Promise.all([read(files.cert), read(files.key)]);
    // Files are written one by one, and TLS itself only fails when a client comes.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      throw new Error(`${files.key} is not the key of ${files.cert}`);
    }
    if (caName === undefined) return { cert, key };
    const ca = await read(caName);
    new X509Certificate(ca); // Throws for anything but certificates.
    return { cert, key, ca };
  } catch (error) {
    const advice = `mount a Secret with ${files.cert} and ${files.key} there, such as the Secret of a cert-manager Certificate`;
    throw new Error(`the certificate in ${certDir} cannot be used: ${messageOf(error)}; ${advice}`, { cause: error });
  }
}

/** Callbacks for a certificate that is read again. */
export interface CertificateObserver {
  /** Takes a certificate that differs from the one before. */
  readonly onChange: (pair: KeyPair) => void;
  /** Takes why a certificate cannot be used. The one before stays in use. */
  readonly onError: (error: unknown) => void;
}

/** Reads a certificate again and again, because cert-manager renews it long before it expires. */
export class CertificateWatcher {
  readonly #read: () => Promise<KeyPair>;
  readonly #observer: CertificateObserver;
  readonly #watcher: FSWatcher | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  #current: KeyPair;
  #check: Promise<void> = Promise.resolve();

  /** @param interval The milliseconds between two reads, for file systems that do not report changes. */
  constructor(
    { certDir, caName }: { readonly certDir: string; readonly caName?: string | undefined },
    first: KeyPair,
    observer: CertificateObserver,
    interval: number,
  ) {
    this.#read = () => readKeyPair(certDir, caName);
    this.#observer = observer;
    this.#current = first;
    this.#watcher = this.#watch(certDir);
    this.#timer = setInterval(() => void this.check(), interval);
    this.#timer.unref();
  }

  /** Reads the certificate again. */
  check(): Promise<void> {
    this.#check = this.#check.then(() => this.#renew());
    return this.#check;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  async #renew(): Promise<void> {
    try {
      const pair = await this.#read();
      const { cert, key, ca } = this.#current;
      if (pair.cert === cert && pair.key === key && pair.ca === ca) return;
      this.#observer.onChange(pair);
      this.#current = pair;
    } catch (error) {
      this.#observer.onError(error);
    }
  }

  #watch(certDir: string): FSWatcher | undefined {
    try {
      // Kubelet swaps a link in the folder, so the folder is watched and not the files.
      const watcher = watch(certDir, { persistent: false }, () => void this.check());
      watcher.on('error', () => watcher.close()); // The timer continues.
      return watcher;
    } catch {
      return undefined;
    }
  }
}
