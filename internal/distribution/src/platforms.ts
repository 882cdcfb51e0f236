/** A system that an executable is for, in the words of Go, which krew and archives of such programs use. */
export interface Platform {
  readonly os: 'linux' | 'darwin' | 'windows';
  readonly arch: 'amd64' | 'arm64';
}

/** All systems that there are executables for. */
export const platforms: readonly Platform[] = (['linux', 'darwin', 'windows'] as const).flatMap((os) =>
  (['amd64', 'arm64'] as const).map((arch) => ({ os, arch })),
);

/** Returns the platform of this process. Node builds an executable for its own system only, since that holds code compiled for it. */
export function ownPlatform(): Platform {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const own = platforms.find((each) => each.os === os && each.arch === arch);
  if (own === undefined) throw new Error(`there are no executables for ${os} ${arch}`);
  return own;
}

/** Returns the name of the executable: `gwpolicy`, or `gwpolicy.exe`. */
export function executableName({ os }: Platform): string {
  return os === 'windows' ? 'gwpolicy.exe' : 'gwpolicy';
}

/** Returns the name of the archive with the executable: `gwpolicy_0.1.0_linux_amd64.tar.gz`. */
export function archiveName({ os, arch }: Platform, version: string): string {
  return `gwpolicy_${version}_${os}_${arch}.tar.gz`;
}
