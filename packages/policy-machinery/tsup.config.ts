import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'tsup';
import shared from '../../tsup.config.ts';

/**
 * The entries only export other packages again, so that a source is its own declaration. Bundled declarations would import all packages,
 * those included whose peers a project has not installed.
 */
export default defineConfig({
  ...shared,
  dts: false,
  async onSuccess() {
    for (const entry of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
      if (!entry.endsWith('.ts')) continue;
      const declaration = join('dist', entry.replace(/\.ts$/, '.d.ts'));
      mkdirSync(dirname(declaration), { recursive: true });
      copyFileSync(join('src', entry), declaration);
    }
  },
});
