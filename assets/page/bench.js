// The page of a benchmark: charts with tooltips, raw samples, all rows, and a comparison of two runs.

const PARTS = { sweep: 'lists of many sizes', cases: 'named cases', scenes: 'scenes, end to end' };
const hiddenParts = new Set();
let wanted = '';
let refill = [];

const microseconds = (value) => {
  if (value === null || value === undefined) return '–';
  const [scale, unit] = value >= 1e6 ? [1e6, 's'] : value >= 1e3 ? [1e3, 'ms'] : [1, 'µs'];
  return `${Number((value / scale).toPrecision(4))} ${unit}`;
};
const ratioText = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));

function showBench(main) {
  main.append(...data.notes.map((note) => el('p', { class: 'warn' }, bdi(note))));
  for (const run of data.runs) {
    const [adapter, driver] = run.conditions.map(([, value]) => value);
    main.append(el('p', { class: 'dim' }, bdi(`${run.name ? `${run.name}: ` : ''}${adapter} · ${driver} · ${run.rows.length} rows`)));
  }
  main.append(filters());
  if (data.comparisons.length > 0) main.append(comparisons());
  main.append(...chartList());
  for (const [index, run] of data.runs.entries()) {
    const name = (text) => (run.name ? `${text} of ${run.name}` : text);
    main.append(el('h2', {}, bdi(name('Rows'))), el('p', { class: 'dim' }, 'Click a row to show its samples.'), rowsTable(index), el('h2', {}, bdi(name('Conditions'))), facts(run.conditions));
  }
  takeFilter();
  listenToMarks(main);
}

// --- Filter ---

function filters() {
  const present = Object.keys(PARTS).filter((part) => data.runs.some((run) => run.rows.some((row) => row.part === part)));
  const box = (part) => {
    const change = (event) => {
      if (event.target.checked) hiddenParts.delete(part);
      else hiddenParts.add(part);
      applyFilter();
    };
    return el('label', { title: PARTS[part] }, el('input', { type: 'checkbox', checked: true, 'data-part': part, change }), part);
  };
  const search = el('input', { id: 'search', type: 'search', placeholder: 'method or work', 'aria-label': 'show only rows with these words', input: (event) => { wanted = event.target.value; applyFilter(); } });
  return el('div', { class: 'bar' }, present.map(box), el('label', {}, 'rows with', search));
}

function takeFilter() {
  const given = readAddress();
  wanted = given.get('rows') ?? '';
  document.getElementById('search')?.setAttribute('value', wanted);
  for (const part of (given.get('without') ?? '').split(',')) if (part in PARTS) hiddenParts.add(part);
  for (const box of document.querySelectorAll('[data-part]')) if (box.type === 'checkbox') box.checked = !hiddenParts.has(box.dataset.part);
  applyFilter();
}

function applyFilter() {
  for (const figure of document.querySelectorAll('[data-parts]')) {
    figure.hidden = figure.dataset.parts.split(' ').every((part) => hiddenParts.has(part));
  }
  for (const fill of refill) fill();
  writeAddress({ ...(wanted && { rows: wanted }), ...(hiddenParts.size > 0 && { without: [...hiddenParts].join() }) });
}

const isShown = (part, text) => !hiddenParts.has(part) && wanted.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

/// A table of those `rows` that pass the filter.
function filtered(caption, columns, rows, textOf, partOf, mark) {
  const box = el('div', { class: 'long' });
  const fill = () => {
    const left = rows.filter((row) => isShown(partOf(row), textOf(row)));
    box.replaceChildren(table(`${caption}: ${grouped(left.length)} of ${grouped(rows.length)}`, columns, left, mark).element);
  };
  refill.push(fill);
  return box;
}

// --- Charts ---

function chartList() {
  const names = [...new Set(data.runs.flatMap((run) => run.charts.map((chart) => chart.name)))];
  return names.map((name) => {
    const figures = data.runs.map((run, index) => {
      const chart = run.charts.find((one) => one.name === name);
      if (!chart) return el('figure', {}, el('figcaption', {}, bdi(`${run.name}: not measured`)));
      const caption = run.name ? el('figcaption', {}, bdi(run.name)) : null;
      return el('figure', { 'data-run': index }, caption, prepared(drawing(chart.id), chart.title));
    });
    const { parts } = data.runs.flatMap((run) => run.charts).find((one) => one.name === name);
    return el('section', { class: data.runs.length > 1 ? 'pair' : null, 'data-parts': parts.join(' ') }, figures, el('div', { class: 'samples' }));
  });
}

/// A drawing with titles turned into labels, which appear at once, unlike titles.
function prepared(content, title) {
  const svg = content.querySelector('svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title);
  for (const words of svg.querySelectorAll('title')) {
    words.parentElement.dataset.words = words.textContent;
    words.remove();
  }
  return svg;
}

function listenToMarks(main) {
  const tip = el('div', { class: 'tip', hidden: true });
  document.body.append(tip);
  const markOf = (event) => event.target.closest?.('[data-words]');
  main.addEventListener('pointermove', (event) => {
    const mark = markOf(event);
    tip.hidden = !mark;
    if (!mark) return;
    tip.textContent = mark.dataset.words;
    tip.style.left = `${clamp(event.clientX + 14, 4, Math.max(4, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${clamp(event.clientY + 18, 4, Math.max(4, innerHeight - tip.offsetHeight - 8))}px`;
  });
  main.addEventListener('pointerleave', () => { tip.hidden = true; });
  main.addEventListener('click', (event) => {
    const mark = markOf(event);
    if (!mark?.dataset.rows) return;
    for (const other of document.querySelectorAll('svg .chosen')) other.classList.remove('chosen');
    mark.classList.add('chosen');
    const run = Number(mark.closest('[data-run]').dataset.run);
    const places = mark.dataset.rows.split(' ').map(Number);
    mark.closest('section').querySelector('.samples').replaceChildren(...places.map((place) => samples(run, place)));
  });
}

// --- Samples ---

/// The raw samples of a row: one dot each in the order taken, a line at the median, and the conditions.
function samples(run, place) {
  const row = data.runs[run].rows[place];
  const about = [['method', row.runner], ['work', row.what], ['wave size', row.wave_size ?? 'none'], ['dispatches per sample', row.dispatches]];
  if (row.skipped) about.push(['not timed', row.skipped]);
  if (row.summary) {
    const { median, interval, min, p5, p95, n } = row.summary;
    about.push(['median', `${microseconds(median)}${interval ? `, 95 % interval ${microseconds(interval[0])} to ${microseconds(interval[1])}` : ''}`]);
    about.push(['minimum, 5th and 95th percentile', [min, p5, p95].map(microseconds).join(', ')], ['n', n]);
  }
  if (row.sittings.length > 1) about.push(['samples of each sitting', row.sittings.join(', ')]);
  if (row.settled === false) about.push(['settled', 'no: the median was still changing']);
  if (row.passes_to_wall !== null) about.push(['passes divided by wall-clock time', ratioText(row.passes_to_wall)]);
  for (const [name, value] of Object.entries(row.gpu ?? {})) if (value !== null) about.push([`GPU ${name.replaceAll('_', ' ')}`, String(value)]);
  for (const [name, value] of row.facts) about.push([name, grouped(value)]);
  const passes = row.passes.filter((pass) => pass.samples.length > 0).map((pass) => [`pass ${pass.label}`, `${microseconds(median(pass.samples))}, n ${pass.samples.length}`]);
  return el('div', { class: 'panel' }, row.samples.length > 0 ? dots(row) : null, facts([...about, ...passes]));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function dots(row) {
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const [least, most] = [Math.min(...row.samples), Math.max(...row.samples)];
  const x = (value) => 8 + (value - least) / (most - least || 1) * 484;
  const y = (index) => 6 + index / Math.max(row.samples.length - 1, 1) * 40;
  const chart = svg('svg', { viewBox: '0 0 500 54', class: 'dots', role: 'img', 'aria-label': `samples from ${microseconds(least)} to ${microseconds(most)}` });
  chart.append(svg('line', { class: 'line', x1: x(row.summary.median), x2: x(row.summary.median), y1: 2, y2: 50 }));
  row.samples.forEach((value, index) => chart.append(svg('circle', { class: 'ink', cx: x(value), cy: y(index), r: 2.5, 'fill-opacity': 0.6 })));
  return el('div', {}, el('p', { class: 'dim' }, `samples in the order taken, from the top: ${microseconds(least)} to ${microseconds(most)}`), chart);
}

// --- Tables ---

function rowsTable(run) {
  const { rows } = data.runs[run];
  const time = (title, hint, key) => ({ title, hint, value: (row) => row.summary?.[key], cell: (row) => microseconds(row.summary?.[key]) });
  const columns = [
    { title: 'method', hint: 'The method with its options, or another runner', text: (row) => row.runner, cell: (row) => el('span', {}, bdi(row.runner), notCompared(row)) },
    { title: 'work', hint: 'The composited lists or scene', text: (row) => row.what, cell: (row) => el('span', {}, bdi(row.what), row.skipped ? el('span', { class: 'dim' }, ` not timed: ${row.skipped}`) : null) },
    time('median', 'Median time of a dispatch', 'median'), time('5 %', '5th percentile', 'p5'), time('95 %', '95th percentile', 'p95'),
    { title: 'n', hint: 'Number of samples', value: (row) => row.summary?.n, cell: (row) => grouped(row.summary?.n) },
    { title: 'wave', hint: 'Lanes per wave', value: (row) => row.wave_size, cell: (row) => grouped(row.wave_size) },
  ];
  const mark = (line, row) => {
    const open = () => {
      const next = line.nextElementSibling;
      if (next?.classList.contains('detail')) next.remove();
      else line.after(el('tr', { class: 'detail' }, el('td', { colspan: columns.length }, samples(run, rows.indexOf(row)))));
    };
    line.addEventListener('click', open);
    line.tabIndex = 0;
    line.addEventListener('keydown', (event) => { if (event.key === 'Enter') open(); });
  };
  return filtered('Rows', columns, rows, (row) => `${row.runner} ${row.what}`, (row) => row.part, mark);
}

/// The comparison of two runs. If there are more, the reader chooses which.
function comparisons() {
  const place = el('div');
  const chosen = [0, 1];
  const show = () => {
    const [low, high] = [...chosen].sort((one, other) => one - other);
    const pair = data.comparisons.find(({ of }) => of[0] === low && of[1] === high);
    refill = refill.filter((fill) => !place.fills?.includes(fill));
    const before = refill.length;
    place.replaceChildren(...(pair ? comparison(pair) : ['Choose two different runs.']));
    place.fills = refill.slice(before);
    for (const fill of place.fills) fill();
  };
  const select = (side) => {
    const change = (event) => { chosen[side] = Number(event.target.value); show(); };
    const options = data.runs.map((run, index) => el('option', { value: index, selected: index === side }, run.name));
    return el('select', { 'aria-label': `${side === 0 ? 'First' : 'Second'} run`, change }, options);
  };
  show();
  return el('div', {}, data.runs.length > 2 && el('div', { class: 'bar' }, 'Compare', select(0), 'with', select(1)), place);
}

function comparison(pair) {
  const { rows, left_out: leftOut } = pair;
  const partOf = (row) => data.runs.flatMap((run) => run.rows).find((one) => row.name.startsWith(`${one.what}: `))?.part ?? 'sweep';
  const verdict = (row) => row.verdict.toLowerCase();
  const number = (title, hint, value, text) => ({ title, hint, value, cell: (row) => text(value(row)) });
  const columns = [
    { title: 'verdict', hint: 'The second run compared with the first', text: verdict, cell: (row) => el('span', { class: verdict(row) === 'slower' ? 'warn' : null }, verdict(row)) },
    { title: 'what', hint: 'Work, method and pass', text: (row) => row.name, cell: (row) => bdi(row.name) },
    number('ratio', 'Second time divided by the first', (row) => row.ratio, ratioText), number('from', 'Low end of the 95 % interval', (row) => row.low, ratioText), number('to', 'High end of the 95 % interval', (row) => row.high, ratioText),
    number('first', 'Median of the first run', (row) => row.medians[0], microseconds), number('second', 'Median of the second run', (row) => row.medians[1], microseconds),
  ];
  const count = (name) => rows.filter((row) => verdict(row) === name).length;
  const parts = new Map(rows.map((row) => [row, partOf(row)]));
  const rank = ['slower', 'faster', 'unclear', 'same'];
  const ordered = [...rows].sort((one, other) => rank.indexOf(verdict(one)) - rank.indexOf(verdict(other)));
  const counts = rank.filter((name) => count(name) > 0).map((name) => `${count(name)} ${name}`);
  return [
    el('h2', {}, 'Comparison'), ...pair.notes.map((note) => el('p', { class: 'warn' }, bdi(note))), el('p', {}, `${data.runs[pair.of[1]].name} compared with ${data.runs[pair.of[0]].name}: ${counts.join(', ')}, ${leftOut.length} not compared`),
    filtered('Compared', columns, ordered, (row) => `${row.name} ${verdict(row)}`, (row) => parts.get(row)),
    leftOut.length > 0 && el('details', {}, el('summary', {}, `${leftOut.length} not compared`), el('ul', {}, leftOut.map(([name, why]) => el('li', {}, bdi(`${name}: ${why}`))))),
  ].filter(Boolean);
}

start(data.title, showBench);
