import type { Chromium } from './chromium.ts';

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** Keys that type no text. */
const codes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40, Tab: 9 };

/** A tab. What goes wrong in its page is kept in {@link faults}. */
export class Tab {
  readonly #chromium: Chromium;
  readonly #session: string;
  /** Errors of scripts, what the Content-Security-Policy refused, and every address that was asked for but that of the page. */
  faults: string[] = [];
  #address = 'about:blank';
  #onLoad = (): void => {};

  private constructor(chromium: Chromium, session: string) {
    this.#chromium = chromium;
    this.#session = session;
    chromium.listen(session, (method, params) => this.#note(method, params));
  }

  /** Makes a tab of a session. */
  static async in(chromium: Chromium, session: string, width: number, height: number): Promise<Tab> {
    const tab = new Tab(chromium, session);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.call(`${domain}.enable`);
    await tab.resize(width, height);
    return tab;
  }

  call<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#chromium.call(method, params, this.#session);
  }

  #note(method: string, params: unknown): void {
    const said = JSON.stringify(params);
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') this.faults.push(said);
    if (method === 'Page.loadEventFired') this.#onLoad();
    if (method === 'Network.requestWillBeSent') {
      const { url } = (params as { readonly request: { readonly url: string } }).request;
      const isOwn = url.split('#')[0] === this.#address || url.startsWith('blob:');
      if (!isOwn) this.faults.push(`asked for ${url}`);
    }
  }

  /** Gives the page a size. */
  async resize(width: number, height: number): Promise<void> {
    await this.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  /** Emulates what the system prefers. */
  async prefer(theme: 'light' | 'dark'): Promise<void> {
    await this.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
  }

  /** Goes to a page, and waits until an expression is true there. */
  async go(address: string, ready: string): Promise<void> {
    const [before, now = ''] = [this.#address, address.split('#')[0]];
    const isSame = before === now; // Only the question is another one.
    this.#address = now;
    const isLoaded = new Promise<void>((resolve) => {
      this.#onLoad = resolve;
    });
    await this.call('Page.navigate', { url: address });
    if (isSame) this.#onLoad();
    await isLoaded;
    await this.until(ready);
  }

  /** Evaluates an expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.call<Evaluated>('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Value;
  }

  /** Waits until an expression is true, looking at each frame that the page draws. */
  async until(expression: string): Promise<void> {
    const wait = `new Promise((resolve) => {
      const look = () => (${expression}) ? resolve(true) : setTimeout(look, 5);
      look();
    })`;
    await this.evaluate(wait);
  }

  /** Counts the work of the page from now on. */
  async countWork(): Promise<void> {
    await this.call('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await this.call('Performance.enable');
  }

  /** Returns how many seconds of CPU time scripts, styles and layout took. Other processes on the machine do not count. */
  async work(): Promise<number> {
    const counted = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
    const { metrics } = await this.call<{ readonly metrics: readonly { name: string; value: number }[] }>(
      'Performance.getMetrics',
    );
    return metrics.filter(({ name }) => counted.includes(name)).reduce((sum, { value }) => sum + value, 0);
  }

  /** Returns the text of the first element that a selector finds, as people see it. */
  text(selector: string): Promise<string> {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  }

  /** Clicks in the middle of the first element that a selector finds. */
  async click(selector: string): Promise<void> {
    const find = `(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`;
    const at = await this.evaluate<{ readonly x: number; readonly y: number }>(find);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
      await this.call('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    }
  }

  /** Types text where the focus is. */
  async type(text: string): Promise<void> {
    for (const character of text) await this.#key(character, { text: character });
  }

  /** Presses a key that types no text, such as `ArrowDown`. */
  async press(key: string): Promise<void> {
    await this.#key(key, { windowsVirtualKeyCode: codes[key] ?? 0, ...(key === 'Enter' && { text: '\r' }) });
  }

  async #key(key: string, more: object): Promise<void> {
    await this.call('Input.dispatchKeyEvent', { type: 'keyDown', key, ...more });
    await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  /** Takes a picture of the whole page, as a PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.call<{ readonly data: string }>('Page.captureScreenshot', {
      captureBeyondViewport: true,
    });
    return Buffer.from(data, 'base64');
  }
}
