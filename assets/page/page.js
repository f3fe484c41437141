'use strict';
// Code shared by all pages: elements, numbers, sortable tables, packed bytes, and the theme.

const data = JSON.parse(document.getElementById('data').textContent);

/// An element with attributes, handlers (functions) and children. Texts become text nodes, never markup.
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/// A text from a user or a driver, which keeps its own writing direction.
const bdi = (text) => el('bdi', {}, String(text));

/// A note after the name of a drawn method if only a part of the GPU can draw.
const notCompared = (row) => (row.drawing_part ? el('span', { class: 'dim' }, ` ${row.drawing_part} draw: not compared`) : null);

function threeDigits(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(2).replace('e+', 'e');
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const grouped = (value) => (value === null || value === undefined ? '–' : value.toLocaleString('en-US'));
const milliseconds = (value) => (value === null || value === undefined ? '–' : value.toFixed(value < 10 ? 4 : 2));

/// The shortest decimal text of a single-precision float that no other float has.
function float(value) {
  if (!Number.isFinite(value)) return String(value).replace('Infinity', '∞');
  if (Object.is(value, -0)) return '-0';
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/// A table. The first click on a title sorts, the second reverses, and the third restores the first order.
/// A column has a `title`, a `hint`, a function `cell` (text or element), and for numbers a function `value`.
function table(caption, columns, rows, mark) {
  let sorted = null;
  let step = 0;
  const body = el('tbody');
  const heads = columns.map((column) => {
    const sort = () => {
      step = sorted === column ? (step + 1) % 3 : 1;
      sorted = column;
      fill();
    };
    const head = el('th', { scope: 'col', class: column.value ? 'number' : null }, el('button', { click: sort, title: column.hint }, column.title));
    return head;
  });
  function fill() {
    const key = (row) => (sorted.value ? sorted.value(row) ?? Infinity : sorted.text(row));
    const order = rows.map((row, index) => ({ row, index }));
    if (step > 0) {
      const direction = step === 1 ? 1 : -1;
      order.sort((one, other) => {
        const [left, right] = [key(one.row), key(other.row)];
        return left < right ? -direction : left > right ? direction : one.index - other.index;
      });
    }
    heads.forEach((head, index) => {
      const word = columns[index] === sorted && step > 0 ? ['ascending', 'descending'][step - 1] : 'none';
      head.setAttribute('aria-sort', word);
    });
    body.replaceChildren(...order.map(({ row }) => {
      const cells = columns.map((column, index) => {
        const content = column.cell ? column.cell(row) : column.text(row);
        return el(index === 0 ? 'th' : 'td', { class: column.value ? 'number' : null, scope: index === 0 ? 'row' : null }, content);
      });
      const line = el('tr', {}, cells);
      if (mark) mark(line, row);
      return line;
    }));
  }
  fill();
  const element = el('div', { class: 'scroll' }, el('table', {}, el('caption', { class: 'dim' }, caption), el('thead', {}, el('tr', {}, heads)), body));
  return { element, fill };
}

const facts = (rows) => el('dl', { class: 'facts' }, rows.map(([name, value]) => [el('dt', {}, bdi(name)), el('dd', {}, bdi(value))]));

/// The bytes of a block of the page, from base64.
function packed(id) {
  const text = document.getElementById(id).textContent;
  return Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function unpacked(id) {
  const stream = new Blob([packed(id)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// The drawing in the template with this id.
function drawing(id) {
  const template = document.getElementById(id);
  return template && template.content.cloneNode(true);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

/// The settings of a view, from the address after `#`, so that a link opens the same view.
function readAddress() {
  return new URLSearchParams(location.hash.slice(1));
}

let addressTimer = 0;
function writeAddress(values) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const text = '#' + new URLSearchParams(values);
    if (text !== location.hash) history.replaceState(null, '', text);
  }, 150);
}

/// True for keys that the browser, a field or a button uses.
function isTaken(event) {
  const on = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return on.closest('select, input, [role=slider]') !== null || (on.closest('button, summary') !== null && [' ', 'Enter'].includes(event.key));
}

function start(title, show) {
  const main = document.getElementById('main');
  const theme = el('button', { click: switchTheme, title: 'Light/dark theme (T)' }, 'light/dark');
  main.append(el('header', {}, el('h1', {}, bdi(title)), el('span', { class: 'dim' }, data.program), theme));
  document.addEventListener('keydown', (event) => {
    if (!isTaken(event) && event.key.toLowerCase() === 't') switchTheme();
  });
  show(main);
  document.getElementById('unfinished').remove();
  main.hidden = false;
}
