// What the page does for the program: files, downloads, local storage, the link, the adapter's report, and errors.
// `src/browser.rs` declares these functions and says what each returns.

/** Dropped, chosen and fetched files, by name. */
const files = new Map();
/** Called with the names of new files. */
let take = () => {};

async function add(list) {
  const names = [];
  for (const file of list) {
    files.set(file.name, new Uint8Array(await file.arrayBuffer()));
    names.push(file.name);
  }
  take(names);
}

export function on_files(taker) {
  take = taker;
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
}

export const file = (name) => files.get(name);
export const file_names = () => [...files.keys()];

export function choose_files(endings) {
  const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
  input.accept = endings.map((ending) => `.${ending}`).join();
  input.onchange = () => add([...input.files]);
  input.click();
}

/** Files being fetched, with the reason for a failure once there is one. */
const fetches = new Map();

async function load(name) {
  const answer = await fetch(`scenes/${name}`);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  files.set(name, new Uint8Array(await answer.arrayBuffer()));
}

export function fetched(name) {
  if (files.has(name)) return '';
  const failure = fetches.get(name);
  if (failure) fetches.delete(name);
  else if (!fetches.has(name)) {
    fetches.set(name, undefined);
    load(name).catch((error) => fetches.set(name, String(error.message ?? error))).then(() => take([]));
  }
  return failure;
}

export function download(name, bytes) {
  const link = Object.assign(document.createElement('a'), { download: name });
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A browser may forbid storage; the program then starts with its defaults.
export function stored(key) {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export const fragment = () => location.hash.slice(1);
export const address = () => location.href.split('#')[0];
export const prefers_light = () => matchMedia('(prefers-color-scheme: light)').matches;
export const copy = (text) => navigator.clipboard?.writeText(text).catch(() => {});

export function on_hidden(hidden) {
  document.addEventListener('visibilitychange', () => hidden(document.hidden));
}

// wgpu 30 knows no WebGPU feature `subgroups`: it neither reports nor requests it. This block can go when it does.
// `?no-subgroups` shows what an adapter without them can do.
let info = {};
let waves;
if (globalThis.GPU) {
  const plain = GPU.prototype.requestAdapter;
  GPU.prototype.requestAdapter = async function (options) {
    const adapter = await plain.call(this, options);
    info = adapter?.info ?? {};
    const has = adapter?.features.has('subgroups') && !new URLSearchParams(location.search).has('no-subgroups');
    waves = has ? [info.subgroupMinSize ?? 0, info.subgroupMaxSize ?? 0] : undefined;
    return adapter;
  };
  const plain_device = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = function (descriptor = {}) {
    const features = [...(descriptor.requiredFeatures ?? []), ...(waves ? ['subgroups'] : [])];
    return plain_device.call(this, { ...descriptor, requiredFeatures: features });
  };
}

export const adapter_name = () =>
  info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'GPU of this browser';
export const adapter_is_cpu = () => Boolean(info.isFallbackAdapter) || info.architecture === 'swiftshader';
export const adapter_waves = () => waves;

// A hidden page waits a second.
export const turn = () => new Promise((done) => setTimeout(done));

export const show_failure = (why) => globalThis.fail(why);

export const mark = (key, value) => (document.documentElement.dataset[key] = value);
