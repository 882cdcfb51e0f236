// What this plugin uses of Headlamp. A plugin finds Headlamp's modules and React in the global pluginLib, whatever it is bundled with.

/** Something that React draws. */
export type Drawn = object | string | null;

/** A component of Headlamp or of this plugin. */
export type Component<Props> = (props: Props) => Drawn;

/** The part of React that this plugin uses. */
export interface React {
  createElement<Props>(
    type: Component<Props> | string,
    props: (Props & { readonly key?: string }) | null,
    ...children: readonly Drawn[]
  ): Drawn;
  useState<State>(first: State): readonly [State, (next: State) => void];
  useEffect(effect: () => () => void, dependencies: readonly unknown[]): void;
}

/** An object on whose page a section is shown. */
export interface KubeObject {
  readonly jsonData: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  readonly cluster?: string;
}

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  readonly getter: (row: Row) => Drawn;
}

/** The modules of Headlamp that this plugin uses. */
export interface PluginLib {
  readonly React: React;
  readonly registerDetailsViewSection: (section: Component<{ readonly resource: KubeObject }>) => void;
  readonly ApiProxy: {
    readonly request: (path: string, params?: { readonly cluster?: string }) => Promise<unknown>;
  };
  readonly CommonComponents: {
    readonly SectionBox: Component<{ readonly title: string }>;
    // biome-ignore lint/suspicious/noExplicitAny: Headlamp's table takes rows of any sort.
    readonly SimpleTable: Component<{ readonly columns: readonly Column<any>[]; readonly data: readonly any[] }>;
  };
}
