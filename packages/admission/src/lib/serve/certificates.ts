import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@policy-machinery/resource';

/** A certificate chain and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The names of the files in a Secret of type `kubernetes.io/tls`, as cert-manager writes it. */
const files = { cert: 'tls.crt', key: 'tls.key' };

/**
 * Reads a certificate and its key.
 *
 * @throws {Error} If a file cannot be read, or certificate and key do not fit, with advice.
 */
export async function readKeyPair(certDir: string): Promise<KeyPair> {
  const read = (name: string) => readFile(join(certDir, name), 'utf8');
  try {
    const [cert, key] = await Promise.all([read(files.cert), read(files.key)]);
    // Files are written one by one, and TLS itself only fails when a client comes.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      throw new Error(`${files.key} is not the key of ${files.cert}`);
    }
    return { cert, key };
  } catch (error) {
    const advice = `mount a Secret with ${files.cert} and ${files.key} there, such as that of a Certificate of cert-manager`;
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

/** Reads a certificate again and again, since cert-manager renews it long before it expires. */
export class CertificateWatcher {
  readonly #certDir: string;
  readonly #observer: CertificateObserver;
  readonly #watcher: FSWatcher | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  #current: KeyPair;
  #check: Promise<void> = Promise.resolve();

  /** @param interval The milliseconds between two reads, for file systems that do not report changes. */
  constructor(certDir: string, first: KeyPair, observer: CertificateObserver, interval: number) {
    this.#certDir = certDir;
    this.#observer = observer;
    this.#current = first;
    this.#watcher = this.#watch();
    this.#timer = setInterval(() => void this.check(), interval);
    this.#timer.unref();
  }

  /** Reads the certificate again. */
  check(): Promise<void> {
    this.#check = this.#check.then(() => this.#read());
    return this.#check;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  async #read(): Promise<void> {
    try {
      const pair = await readKeyPair(this.#certDir);
      if (pair.cert === this.#current.cert && pair.key === this.#current.key) return;
      this.#observer.onChange(pair);
      this.#current = pair;
    } catch (error) {
      this.#observer.onError(error);
    }
  }

  #watch(): FSWatcher | undefined {
    try {
      // Kubelet swaps a link in the folder, so the folder is watched and not the files.
      const watcher = watch(this.#certDir, { persistent: false }, () => void this.check());
      watcher.on('error', () => watcher.close()); // The timer continues.
      return watcher;
    } catch {
      return undefined;
    }
  }
}
