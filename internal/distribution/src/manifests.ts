import { stringify } from 'yaml';
import { archiveName, executableName, type Platform } from './platforms.ts';

/** An archive with an executable. */
export interface Archive extends Platform {
  /** The SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
}

/** A release. */
export interface Release {
  /** The version: `0.1.0`. */
  readonly version: string;
  /** The address of the repository: `https://github.com/owner/name`. */
  readonly homepage: string;
  readonly archives: readonly Archive[];
}

/** The tag of a release, as Changesets names it. */
export function tagOf(version: string): string {
  return `gwpolicy@${version}`;
}

const summary = 'Show which Gateway API policies apply where';

/**
 * Returns the manifest of the plugin for krew, which installs plugins of kubectl.
 *
 * @param release The release.
 */
export function krewManifest({ version, homepage, archives }: Release): string {
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'gwpolicy' },
      spec: {
        version: `v${version}`,
        homepage,
        shortDescription: summary,
        description: [
          'Says which Gateway API policies apply to a route or a Gateway, who set each field, who',
          'lost and why, on a cluster or in a folder of manifests: for Envoy Gateway, kgateway,',
          'NGINX Gateway Fabric, Kuadrant and others, and for kinds of your own. It also finds',
          'faults, and says what a change would do. It reads, and never writes.\n',
        ].join('\n'),
        platforms: archives.map((archive) => ({
          selector: { matchLabels: { os: archive.os, arch: archive.arch } },
          uri: urlOf(archive, version, homepage),
          sha256: archive.sha256,
          bin: executableName(archive),
        })),
      },
    },
    { lineWidth: 0 },
  );
}

/**
 * Returns the formula for Homebrew.
 *
 * @param release The release.
 */
export function homebrewFormula({ version, homepage, archives }: Release): string {
  const downloadOf = (os: Platform['os'], arch: Platform['arch']) => {
    const archive = archives.find((each) => each.os === os && each.arch === arch);
    if (archive === undefined) throw new Error(`there is no archive for ${os} ${arch}`);
    const condition = arch === 'arm64' ? 'on_arm' : 'on_intel';
    return `    ${condition} do
      url "${urlOf(archive, version, homepage)}"
      sha256 "${archive.sha256}"
    end`;
  };
  const systemOf = (condition: string, os: Platform['os']) =>
    [`  ${condition} do`, downloadOf(os, 'arm64'), downloadOf(os, 'amd64'), '  end'].join('\n');
  return `class Gwpolicy < Formula
  desc "${summary}"
  homepage "${homepage}"
  version "${version}"
  license "Apache-2.0"

${systemOf('on_macos', 'darwin')}

${systemOf('on_linux', 'linux')}

  def install
    bin.install "gwpolicy"
    bin.install_symlink "gwpolicy" => "kubectl-gwpolicy"
    bin.install_symlink "gwpolicy" => "kubectl_complete-gwpolicy"
    generate_completions_from_executable(bin/"gwpolicy", "completion")
  end

  test do
    assert_match "gwpolicy #{version}", shell_output("#{bin}/gwpolicy version")
  end
end
`;
}

function urlOf(platform: Platform, version: string, homepage: string): string {
  return `${homepage}/releases/download/${encodeURIComponent(tagOf(version))}/${archiveName(platform, version)}`;
}
