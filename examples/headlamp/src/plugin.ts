import type { PluginLib } from './headlamp.ts';
import { effectivePoliciesSection } from './section.ts';

const { pluginLib } = globalThis as unknown as { readonly pluginLib: PluginLib };

pluginLib.registerDetailsViewSection(effectivePoliciesSection(pluginLib));
