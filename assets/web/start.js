// Loads the program, shows how far it is, and says what the browser lacks.
import init from './wavelerp.js';

/** Shows why nothing works. The first reason is the cause. */
function fail(why) {
  const failure = document.getElementById('failure');
  if (!failure.hidden) return;
  document.getElementById('failure-text').textContent = why;
  document.getElementById('loading')?.remove();
  failure.hidden = false;
}

// The program calls it, too.
globalThis.fail = fail;

/** What to do in a browser without WebGPU. */
function remedy() {
  const agent = navigator.userAgent;
  if (!isSecureContext) return 'WebGPU needs an address that begins with https:// or http://localhost.';
  if (agent.includes('Firefox')) {
    return 'Use Firefox 141 or newer on Windows, or 145 on macOS. On Linux use Firefox Nightly, or set dom.webgpu.enabled in about:config.';
  }
  if (agent.includes('Chrome')) {
    return 'Use Chrome or Edge 134 or newer. On Linux, start it with --enable-unsafe-webgpu --enable-features=Vulkan. chrome://gpu says why WebGPU is off.';
  }
  if (agent.includes('Safari')) return 'Use Safari 26 or newer.';
  return 'Use a current version of Chrome, Edge, Safari or Firefox.';
}

/** The response, reported to the bar as it arrives. `length` is its size when unpacked. */
function with_bar(response, length) {
  const bar = document.getElementById('bar');
  let loaded = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      bar.value = Math.min(loaded / length, 1);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: { 'content-type': 'application/wasm' } });
}

document.getElementById('again').onclick = () => {
  // What was open may be the cause.
  history.replaceState(null, '', location.pathname + location.search);
  location.reload();
};

addEventListener('error', (event) => fail(`The program has stopped: ${event.message}`));
addEventListener('unhandledrejection', (event) => fail(`The program has stopped: ${event.reason?.message ?? event.reason}`));

const adapter = await navigator.gpu?.requestAdapter();
if (adapter) {
  const response = await fetch('wavelerp_bg.wasm');
  await init({ module_or_path: with_bar(response, LENGTH) });
  document.getElementById('loading')?.remove();
} else {
  const why = navigator.gpu ? 'This browser found no GPU that it can use.' : 'This browser has no WebGPU.';
  fail(`${why} ${remedy()} The desktop program needs no browser.`);
}
