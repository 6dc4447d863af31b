// The page's only script. The server sends finished, escaped HTML; this swaps it in and sends what the reader does.
"use strict";

const house = document.getElementById("house");
const thread = document.getElementById("thread");
const drawer = document.getElementById("drawer");
const form = document.getElementById("ask");
const text = document.getElementById("ask-text");
const problem = document.getElementById("problem");
const place = () => ({ channel: house.dataset.channel, thread: house.dataset.thread });
const headers = { "x-pestle": "page", ...(house.dataset.csrf ? { "x-pestle-csrf": house.dataset.csrf } : {}) };
let opener = null;

const fragment = (html) => document.createRange().createContextualFragment(html);

function show(html) {
  document.getElementById("welcome")?.remove();
  const fresh = fragment(html).firstElementChild;
  const known = document.getElementById(fresh.id);
  if (known) {
    keep(known, fresh);
    known.replaceWith(fresh);
  } else {
    const cards = thread.querySelector(`[data-run="${fresh.id.replace(/^question-/, "")}"]`);
    thread.insertBefore(fresh, cards);
    fresh.scrollIntoView({ block: "nearest" });
  }
}

// What the reader opened stays open in the newer card, and what is being written stays written.
function keep(known, fresh) {
  for (const opened of known.querySelectorAll("details[open]")) {
    fresh.querySelector(`details[data-part="${opened.dataset.part}"]`)?.setAttribute("open", "");
  }
  const [before, after] = [known, fresh].map((card) => card.querySelector("[data-revise] textarea"));
  if (before && after) after.value = before.value;
}

async function send(address, options) {
  problem.textContent = "";
  try {
    const response = await fetch(address, { ...options, headers: { ...headers, ...(options.headers ?? {}) } });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } catch (error) {
    problem.textContent = error.message === "Failed to fetch" ? "Pestle does not answer. Is `pestle up` still running?" : error.message;
    return null;
  }
}

const json = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function ask(question) {
  const answer = await send("/ask", json({ ...place(), text: question, event: crypto.randomUUID() }));
  if (!answer) return;
  text.value = "";
  if (answer.html) show(answer.html);
  if (answer.html) enlist(answer.address, question);
  history.replaceState(null, "", answer.address);
}

function enlist(address, title) {
  if (document.querySelector("nav li a[aria-current]")) return;
  const list = document.querySelector(`nav ul[data-channel="${place().channel}"]`);
  list.querySelector(".empty")?.remove();
  const link = document.createElement("a");
  Object.assign(link, { href: address, title, textContent: title });
  link.setAttribute("aria-current", "page");
  const item = document.createElement("li");
  item.append(link);
  list.prepend(item);
}

form.addEventListener("submit", (event) => { event.preventDefault(); ask(text.value); });
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
});

async function open(address, from) {
  const response = await fetch(address, { headers });
  drawer.replaceChildren(fragment(await response.text()));
  for (const bar of drawer.querySelectorAll("[data-share]")) bar.style.width = `${bar.dataset.share}%`;
  drawer.hidden = false;
  house.classList.add("with-drawer");
  opener = from ?? opener;
  drawer.querySelector("[data-close]")?.focus();
  drawer.scrollTop = 0;
  if (!drawer.querySelector("img")) drawer.querySelector("#passage")?.scrollIntoView({ block: "center" });
}

function close() {
  drawer.hidden = true;
  house.classList.remove("with-drawer");
  opener?.focus();
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !drawer.hidden) close(); });
document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-open], [data-close], [data-action], [data-example], [data-logout]");
  if (!target) return;
  if (target.matches("[data-open]")) { event.preventDefault(); open(target.getAttribute("href"), target); }
  else if (target.matches("[data-close]")) close();
  else if (target.matches("[data-logout]")) leave();
  else if (target.matches("[data-example]")) ask(target.dataset.example);
  else act(target);
});

async function leave() {
  const answer = await send("/logout", { method: "POST" });
  if (answer) window.location.assign(answer.address);
}

async function act(button) {
  let value = button.dataset.value;
  button.disabled = true;
  if (button.dataset.action === "feedback" && value.endsWith(" down")) {
    const comment = window.prompt("What is not right? (optional)");
    if (comment) value += ` ${comment}`;
  }
  await press(button.dataset.action, value);
  button.disabled = false;
}

async function press(action, value) {
  const answer = await send("/act", json({ ...place(), action, value, event: crypto.randomUUID() }));
  if (answer?.html) show(answer.html);
  return answer;
}

document.addEventListener("submit", async (event) => {
  const wish = event.target.closest("[data-revise]");
  if (!wish) return;
  event.preventDefault();
  const field = wish.elements.text;
  const words = field.value;
  field.value = "";
  wish.closest("details").removeAttribute("open");
  if (!(await press("revise", `${wish.dataset.revise}: ${words}`))) field.value = words;
});

const drop = document.getElementById("drop");
const report = document.getElementById("upload-report");
const halt = (event) => { event.preventDefault(); };
for (const name of ["dragover", "drop"]) document.addEventListener(name, halt);
drop.addEventListener("dragenter", () => drop.classList.add("over"));
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => { drop.classList.remove("over"); upload(event.dataTransfer.files); });
document.getElementById("upload").addEventListener("change", (event) => upload(event.target.files));

async function upload(files) {
  for (const file of files) {
    report.textContent = `Reading ${file.name} …`;
    const body = new FormData();
    body.append("file", file);
    let result = await send("/documents", { method: "POST", body });
    if (result?.taken && window.confirm(`${result.text}\n\nReplace it?`)) {
      body.append("replace", "yes");
      result = await send("/documents", { method: "POST", body });
    }
    const line = document.createElement("p");
    line.textContent = result ? result.text : `${file.name}: ${problem.textContent}`;
    report.append(line);
    if (result) document.querySelector("#archive-size a").textContent = result.size;
  }
  if (report.firstChild?.nodeType === Node.TEXT_NODE) report.firstChild.remove();
}

function watch() {
  const { channel, thread: id } = place();
  const events = new EventSource(`/events?channel=${encodeURIComponent(channel)}&thread=${encodeURIComponent(id)}`);
  events.addEventListener("post", (event) => show(JSON.parse(event.data)));
}
watch();
