"use strict";
(() => {
  const STEP = 200;
  const FACETS = [
    ["category", "Category"],
    ["standing", "Standing"],
    ["state", "Against the code"],
    ["scope", "Scope"],
  ];
  const STANDING = {
    __proto__: null,
    shown: "in the block",
    misfit: "did not fit",
    uncovered: "no block for it",
    retired: "retired",
    superseded: "superseded",
    expired: "expired",
  };
  const STATE = {
    __proto__: null,
    fresh: "fresh",
    auto: "still fresh",
    note: "small changes",
    foreign: "in a submodule",
    unknown: "not checkable",
    uncited: "cites no file",
    review: "to review",
    moved: "file moved",
    stale: "stale",
  };
  const ORDER = { standing: Object.keys(STANDING), state: Object.keys(STATE) };
  const DOUBT = new Set(["review", "moved", "stale"]);
  const SPEAKER = {
    __proto__: null,
    user: "A person said it",
    agent: "The agent said it",
    model: "A model worded what was said",
    tool: "A tool put it out",
    import: "Imported from a file",
  };
  const TRIGGER = {
    __proto__: null,
    "pre-compact": "at compaction",
    stop: "at the end of a turn",
    "session-end": "at the end of the session",
    "session-start": "found at the next start",
    sweep: "found afterwards",
    propose: "by curator propose",
  };
  const EVERYWHERE = "everywhere";
  const ROOT = document.documentElement;
  const SYSTEM_DARK = matchMedia("(prefers-color-scheme: dark)");

  // --- Light and dark: set before anything is drawn ------------------------------------------------------------

  const stored = (value) => {
    try {
      if (value) localStorage.setItem("curator-theme", value);
      return localStorage.getItem("curator-theme") || "";
    } catch {
      return value || "";
    }
  };
  const isDark = () => (ROOT.dataset.theme ? ROOT.dataset.theme === "dark" : SYSTEM_DARK.matches);
  if (["light", "dark"].includes(stored())) ROOT.dataset.theme = stored();

  const themeButton = () => {
    const button = byId("theme");
    const name = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `${button.textContent} colours`);
    };
    button.addEventListener("click", () => {
      ROOT.dataset.theme = isDark() ? "light" : "dark";
      stored(ROOT.dataset.theme);
      name();
    });
    SYSTEM_DARK.addEventListener("change", name);
    name();
    button.hidden = false;
  };

  // --- Elements: text goes in as text, never as markup ---------------------------------------------------------

  const byId = (id) => document.getElementById(id);
  const make = (tag, properties, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== "" && child != null));
    return made;
  };
  const count = (number, noun) =>
    `${number.toLocaleString("en")} ${number === 1 ? noun : noun.replace(/y$/, "ie") + "s"}`;

  // --- What is there -------------------------------------------------------------------------------------------

  let entries = [];
  let categories = [];
  const byName = new Map();
  const view = { q: "", sort: "", entry: "", category: [], standing: [], state: [], scope: [] };
  let found = [];
  let limit = STEP;

  const facetOf = (entry, facet) => (facet === "scope" ? entry.scope || EVERYWHERE : entry[facet] || "");
  const created = (entry) => (entry.origin && entry.origin.created) || "";
  const haystack = (entry) =>
    (entry.hay ??= [
      entry.text,
      entry.why,
      entry.id,
      entry.task,
      entry.scope,
      entry.category,
      ...(entry.tags || []).map((tag) => `#${tag}`),
      ...(entry.triggers || []),
      ...(entry.sources || []).flatMap((source) => [source.path, source.symbol, source.text]),
      entry.origin && entry.origin.quote,
      entry.origin && entry.origin.session,
    ]
      .filter(Boolean)
      .join("\n")
      .toLowerCase());

  const words = () => {
    const quoted = view.q.toLowerCase().match(/"[^"]+"?|\S+/g) || [];
    return quoted.map((word) => word.replace(/^"|"$/g, "")).filter(Boolean);
  };
  const passes = (entry, except) =>
    FACETS.every(([facet]) => facet === except || !view[facet].length || view[facet].includes(facetOf(entry, facet)));

  const SORTS = new Map([
    ["importance", (a, b) => b.importance - a.importance],
    ["newest", (a, b) => compare(created(b), created(a))],
    ["oldest", (a, b) => compare(created(a) || "9", created(b) || "9")],
    ["id", (a, b) => compare(a.id, b.id)],
  ]);
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  const search = () => {
    const sought = words();
    const named = sought.length ? entries.filter((one) => sought.every((word) => haystack(one).includes(word))) : entries;
    found = named.filter((one) => passes(one, ""));
    if (SORTS.has(view.sort)) found = [...found].sort(SORTS.get(view.sort));
    return named;
  };

  // --- The address: a view can be linked -----------------------------------------------------------------------

  const isView = () => location.hash.includes("=");
  const readAddress = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    view.q = asked.get("q") || "";
    view.sort = SORTS.has(asked.get("sort")) ? asked.get("sort") : "";
    view.entry = asked.get("entry") || "";
    for (const [facet] of FACETS) view[facet] = asked.getAll(facet);
  };
  const writeAddress = () => {
    const said = new URLSearchParams();
    if (view.q) said.set("q", view.q);
    for (const [facet] of FACETS) for (const value of view[facet]) said.append(facet, value);
    if (view.sort) said.set("sort", view.sort);
    if (view.entry) said.set("entry", view.entry);
    const hash = said.toString();
    if (hash || isView()) history.replaceState(null, "", `#${hash || "memories"}`);
  };

  // --- Filters -------------------------------------------------------------------------------------------------

  const labelOf = (facet, value) => (facet === "standing" ? STANDING[value] : facet === "state" ? STATE[value] : "") || value;
  const valuesOf = (facet) => {
    const there = new Set(entries.map((entry) => facetOf(entry, facet)));
    there.delete("");
    const order = facet === "category" ? categories : ORDER[facet];
    if (order) return order.filter((value) => there.has(value));
    return [...there].sort((a, b) => (b === EVERYWHERE) - (a === EVERYWHERE) || compare(a, b));
  };
  const boxes = new Map();
  const values = new Map();
  const buildFacets = () => {
    for (const [facet, title] of FACETS) {
      values.set(facet, valuesOf(facet));
      const group = make("fieldset", {}, make("legend", {}, title));
      const rows = make("div", { className: "options" });
      for (const value of values.get(facet)) {
        const box = make("input", { type: "checkbox", name: facet, value });
        const number = make("span", { className: "number" });
        const label = make("label", { title: value }, box, make("span", {}, labelOf(facet, value)), " ", number);
        boxes.set(`${facet} ${value}`, { box, number, label });
        rows.append(label);
      }
      group.append(rows);
      group.hidden = values.get(facet).length < 2;
      byId("facets").append(group);
    }
  };
  const showFacets = (named) => {
    for (const [facet] of FACETS) {
      const counts = new Map();
      for (const entry of named) {
        if (passes(entry, facet)) counts.set(facetOf(entry, facet), (counts.get(facetOf(entry, facet)) || 0) + 1);
      }
      for (const value of values.get(facet)) {
        const { box, number, label } = boxes.get(`${facet} ${value}`);
        box.checked = view[facet].includes(value);
        number.textContent = (counts.get(value) || 0).toLocaleString("en");
        label.classList.toggle("none", !counts.get(value));
      }
    }
  };

  // --- One memory ----------------------------------------------------------------------------------------------

  const marked = (text, pattern) => {
    if (!pattern) return [text];
    return text.split(pattern).map((part, at) => (at % 2 ? make("mark", {}, part) : part));
  };
  const prose = (text, pattern) =>
    text
      .split(/`([^`\n]+)`/)
      .flatMap((part, at) => (at % 2 ? make("code", {}, ...marked(part, pattern)) : marked(part, pattern)));
  const patternOf = (sought) =>
    sought.length ? new RegExp(`(${sought.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|")})`, "giu") : null;

  const badge = (kind, name, text) => make("span", { className: `badge ${kind} ${name}` }, text);
  const summaryOf = (entry, sought, pattern) => {
    const day = created(entry).slice(0, 10);
    const elsewhere = sought.filter((word) => !entry.text.toLowerCase().includes(word));
    const why = elsewhere.length && entry.why && elsewhere.some((word) => entry.why.toLowerCase().includes(word));
    return make(
      "summary",
      {},
      make("span", { className: "kind" }, entry.category, make("span", { className: "weight", title: "importance" }, `${entry.importance}`, make("span", { className: "quiet" }, " of 10"))),
      make(
        "span",
        { className: "said" },
        make("span", { className: "text", dir: "auto" }, ...prose(entry.text.trim(), pattern)),
        why ? make("span", { className: "because", dir: "auto" }, "why: ", ...prose(entry.why.trim(), pattern)) : "",
        make("span", { className: "words" }, day ? make("span", {}, day) : "", make("span", { className: "id" }, ...marked(entry.id, pattern)), ...(entry.tags || []).map((tag) => make("span", { className: "tag" }, ...marked(`#${tag}`, pattern)))),
      ),
      make(
        "span",
        { className: "stand" },
        badge("standing", entry.standing, STANDING[entry.standing]),
        entry.state ? badge("state", entry.state, STATE[entry.state]) : "",
      ),
    );
  };

  const link = (id) =>
    byName.has(id)
      ? make("a", { href: `#entry=${encodeURIComponent(id)}` }, id)
      : make("span", {}, id, make("span", { className: "soft" }, " (not here)"));
  const listed = (nodes) => nodes.flatMap((node, at) => (at ? [", ", node] : [node]));
  const code = (text) => make("code", {}, text);

  const sourceOf = (source) => {
    const names = (source.terms || []).map((term) => (term.endsWith("*") ? `${term.slice(0, -1)} (defined there)` : term));
    const facts = [
      source.text ? `holds the line: ${source.text}` : "",
      source.absent ? `must not hold: ${source.absent}` : "",
      names.length ? `watched: ${names.join(", ")}` : "",
      source.blob ? `as of blob ${source.blob}` : "",
    ].filter(Boolean);
    return make(
      "li",
      {},
      code(source.symbol ? `${source.path}#${source.symbol}` : source.path),
      source.state ? badge("state", source.state, STATE[source.state]) : "",
      ...(source.reasons || []).map((reason) => make("span", { className: "reason", dir: "auto" }, reason)),
      ...facts.map((fact) => make("span", { className: "evidence", dir: "auto" }, fact)),
    );
  };
  const originOf = (entry) => {
    const origin = entry.origin || {};
    const at = created(entry).replace("T", " ").replace(/(\d\d:\d\d)(:\d\d)?Z$/, "$1 UTC");
    const parts = [
      SPEAKER[origin.by] || "Nobody tells who said it",
      origin.agent ? `client ${origin.agent}` : "",
      origin.session ? `session ${origin.session}` : "",
      TRIGGER[origin.trigger] || origin.trigger || "",
      at,
      origin.extractor ? `found by ${origin.extractor}${origin.confidence != null ? `, confidence ${origin.confidence}` : ""}` : "",
    ].filter(Boolean);
    return [parts.join(" · "), origin.commit ? " · commit " : "", origin.commit ? code(origin.commit) : ""];
  };
  const factsOf = (entry) => {
    const retired = entry.retired ? `on ${entry.retired.on}: ${entry.retired.reason}` : "";
    const dates = [
      entry.confirmed ? `confirmed ${entry.confirmed}` : "",
      entry.review_by ? `look again by ${entry.review_by}` : "",
      entry.expires ? `expires ${entry.expires}` : "",
      entry.seen > 1 ? `said ${entry.seen} times` : "",
    ].filter(Boolean);
    const short = (entry.id.match(/-([0-9a-f]{6})$/) || ["", entry.id])[1];
    return [
      ["Why", entry.why ? prose(entry.why.trim()) : []],
      ["Said", originOf(entry)],
      ["Word for word", entry.origin && entry.origin.quote ? [make("blockquote", { dir: "auto" }, entry.origin.quote.trim())] : []],
      ["Sources", entry.sources ? [make("ul", {}, ...entry.sources.map(sourceOf))] : []],
      ["Retired", retired ? [retired] : []],
      ["Replaces", listed((entry.supersedes || []).map(link))],
      ["Replaced by", listed((entry.heirs || []).map(link))],
      ["Shown in", listed((entry.in || []).map(code))],
      ["Left out", entry.out && !retired ? [entry.out] : []],
      ["Found by", entry.triggers ? [entry.triggers.join(", ")] : []],
      ["Scope", entry.scope ? [code(entry.scope)] : []],
      ["Task", entry.task ? [entry.task] : []],
      ["Dates", dates.length ? [dates.join(" · ")] : []],
      ["File", [code(entry.path)]],
      ["More", [code(`curator log ${short}`), " · ", make("a", { href: `#entry=${encodeURIComponent(entry.id)}` }, "link to this memory")]],
    ].filter(([, nodes]) => nodes.length);
  };
  const fill = (details) => {
    if (details.children.length > 1) return;
    const entry = entries[details.dataset.at];
    const facts = factsOf(entry).flatMap(([name, nodes]) => [make("dt", {}, name), make("dd", { dir: "auto" }, ...nodes)]);
    details.append(make("dl", { className: "facts" }, ...facts));
  };

  const itemOf = (entry, sought, pattern) => {
    const details = make("details", { className: `entry ${entry.standing} ${DOUBT.has(entry.state) ? "doubt" : ""}` }, summaryOf(entry, sought, pattern));
    details.dataset.at = entry.at;
    details.addEventListener("toggle", () => {
      if (details.open) fill(details);
      if (printing) return;
      if (details.open) view.entry = entry.id;
      else if (view.entry === entry.id) view.entry = "";
      else return;
      writeAddress();
    });
    return make("li", {}, details);
  };

  // --- The list ------------------------------------------------------------------------------------------------

  const addItems = (from, to) => {
    const sought = words();
    const pattern = patternOf(sought);
    byId("list").append(...found.slice(from, to).map((entry) => itemOf(entry, sought, pattern)));
    const rest = found.length - to;
    byId("more").hidden = rest <= 0;
    byId("more").textContent = `Show ${Math.min(STEP, rest).toLocaleString("en")} more of ${rest.toLocaleString("en")}`;
  };
  const isFiltered = () => Boolean(view.q || FACETS.some(([facet]) => view[facet].length));
  const show = () => {
    const named = search();
    limit = STEP;
    showFacets(named);
    byId("list").replaceChildren();
    addItems(0, limit);
    const all = count(entries.length, "memory");
    byId("count").textContent = isFiltered() ? `${found.length.toLocaleString("en")} of ${all}` : all;
    byId("clear").hidden = !isFiltered();
    byId("nothing").hidden = found.length > 0;
    const filters = FACETS.flatMap(([facet]) => view[facet].map((value) => labelOf(facet, value)));
    byId("sought").textContent = `No memory ${view.q ? `says “${view.q}”` : "is there"}${filters.length ? ` under ${filters.join(", ")}` : ""}.`;
  };
  const showFromView = () => {
    if (view.entry && !isFiltered()) {
      const at = byName.get(view.entry);
      if (at != null && at >= STEP) view.q = view.entry;
    }
    byId("q").value = view.q;
    byId("sort").value = view.sort;
    show();
    const at = found.findIndex((entry) => entry.id === view.entry);
    const details = at >= 0 ? byId("list").children[at]?.firstChild : null;
    if (details) {
      details.open = true;
      details.firstChild.focus({ preventScroll: true });
      details.scrollIntoView({ block: "center" });
    } else if (isView()) {
      byId("memories").scrollIntoView();
    }
  };
  const reset = () => {
    Object.assign(view, { q: "", entry: "", category: [], standing: [], state: [], scope: [] });
    byId("q").value = "";
    show();
    writeAddress();
    byId("q").focus();
  };

  // --- Keys ----------------------------------------------------------------------------------------------------

  const summaries = () => [...byId("list").querySelectorAll(":scope > li > details > summary")];
  const move = (event, step) => {
    const here = document.activeElement;
    const all = summaries();
    const at = all.indexOf(here.closest?.("details.entry")?.firstChild);
    if (at < 0 && here !== byId("q")) return;
    event.preventDefault();
    const next = at < 0 ? (step > 0 ? 0 : -1) : at + step;
    if (all[next]) all[next].focus();
    else if (next < 0) byId("q").focus();
  };
  const leave = (event) => {
    const here = document.activeElement;
    const details = here.closest?.("details.entry");
    if (details?.open) {
      details.open = false;
      details.firstChild.focus();
    } else if (here === byId("q") && byId("q").value) {
      view.q = byId("q").value = "";
      show();
      writeAddress();
    } else if (details) byId("q").focus();
    else return;
    event.preventDefault();
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.matches?.("input[type=search], select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      byId("q").focus();
      byId("q").select();
    } else if (event.key === "ArrowDown" && !event.target.matches?.("select")) move(event, 1);
    else if (event.key === "ArrowUp" && !event.target.matches?.("select")) move(event, -1);
    else if (event.key === "Enter" && event.target === byId("q")) move(event, 1);
    else if (event.key === "Escape") leave(event);
  };

  // --- Paper: all that is shown, open ----------------------------------------------------------------------------

  let printing = null;
  const beginPrint = () => {
    if (printing) return;
    printing = [...document.querySelectorAll("details:not([open])")];
    for (const details of printing) {
      if (details.matches(".entry")) fill(details);
      details.open = true;
    }
  };
  const endPrint = () => {
    for (const details of printing || []) details.open = false;
    printing = null;
  };

  // --- Start -----------------------------------------------------------------------------------------------------

  const listen = () => {
    byId("form").addEventListener("submit", (event) => event.preventDefault());
    byId("q").addEventListener("input", () => {
      view.q = byId("q").value;
      view.entry = "";
      show();
      writeAddress();
    });
    byId("form").addEventListener("change", (event) => {
      if (event.target.type === "checkbox") {
        const { name, value, checked } = event.target;
        view[name] = checked ? [...view[name], value] : view[name].filter((one) => one !== value);
      } else if (event.target === byId("sort")) view.sort = byId("sort").value;
      else return;
      view.entry = "";
      show();
      writeAddress();
    });
    byId("clear").addEventListener("click", reset);
    byId("reset").addEventListener("click", reset);
    byId("more").addEventListener("click", () => {
      const from = limit;
      limit += STEP;
      addItems(from, limit);
      summaries()[from]?.focus();
    });
    addEventListener("keydown", onKey);
    addEventListener("beforeprint", beginPrint);
    addEventListener("afterprint", endPrint);
    matchMedia("print").addEventListener("change", (event) => (event.matches ? beginPrint() : endPrint()));
    const wide = matchMedia("(min-width: 56rem)");
    const fold = () => (byId("fold").open = wide.matches);
    wide.addEventListener("change", fold);
    fold();
  };
  const start = () => {
    themeButton();
    const data = JSON.parse(byId("data").textContent);
    entries = data.entries;
    categories = data.categories;
    if (!entries.length) return;
    entries.forEach((entry, at) => {
      entry.at = at;
      if (!byName.has(entry.id)) byName.set(entry.id, at);
    });
    buildFacets();
    listen();
    byId("finder").hidden = false;
    if (isView()) readAddress();
    showFromView();
    addEventListener("hashchange", () => {
      if (!isView()) return;
      readAddress();
      showFromView();
    });
  };
  document.addEventListener("DOMContentLoaded", start);
})();
