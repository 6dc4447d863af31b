// The thread. The server sends finished, escaped HTML; this swaps it in and sends what the reader does.

import { askReader, tell } from "./dialog.js";
import { close, open } from "./drawer.js";
import { address, fragment, html, json, place, send } from "./net.js";
import { menu, renew } from "./threads.js";
import "./model.js";
import "./record.js";
import "./upload.js";

const thread = document.getElementById("thread");
const form = document.getElementById("ask");
const text = document.getElementById("ask-text");
const newer = document.getElementById("newer");
let acted = 0; // when the reader last wrote or pressed something, in milliseconds

function show(post) {
  document.getElementById("welcome")?.remove();
  const fresh = fragment(post).firstElementChild;
  const known = document.getElementById(fresh.id);
  if (known) {
    keep(known, fresh);
    known.replaceWith(fresh);
  } else {
    const low = atEnd();
    // A question stands above its progress, whichever of them comes first.
    const progress = document.getElementById(fresh.id.replace(/^question-/, "progress-"));
    if (progress) progress.before(fresh);
    else thread.append(fresh);
    if (low || (fresh.matches(".question") && Date.now() - acted < 10000)) showEnd(fresh);
    else newer.value ||= fresh.id;
    tellNewer();
  }
  offer();
}

// Questions that the archive answers about the same molecule, below the last answer.
async function offer() {
  const card = thread.querySelector(".card.answer:last-child");
  if (!card?.dataset.run || card.querySelector(".next") || card.dataset.offered) return;
  card.dataset.offered = "yes";
  const found = await html(`/runs/${card.dataset.run}/next`);
  if (!found || !card.isConnected) return;
  const low = atEnd();
  card.append(fragment(found));
  if (low) showEnd();
}

// Questions to begin with, in a thread that is new. They are read from the documents, which takes a moment.
async function welcome() {
  const found = document.getElementById("welcome") && (await html("/starters"));
  if (found) document.getElementById("welcome")?.append(fragment(found));
}

const atEnd = () => window.innerHeight + window.scrollY > document.body.scrollHeight - 200;

// The last question at the top, with as much of its answer as there is room for; where what came since is too long
// for that, as in a debate, what came last.
function showEnd(fresh = thread.lastElementChild) {
  const asked = [...thread.querySelectorAll(".question")].at(-1);
  if (!asked) return;
  const report = fresh.matches(".section") && thread.querySelector(`.answer[data-run="${fresh.dataset.run}"]`);
  const first = report || fresh;
  const near = first.offsetTop - asked.offsetTop < window.innerHeight;
  (near ? asked : first).scrollIntoView({ block: "start" });
}

// That something new stands below what is in view, until it is.
function tellNewer() {
  newer.hidden = !(document.getElementById(newer.value)?.getBoundingClientRect().top > window.innerHeight * 0.8);
  if (newer.hidden) newer.value = "";
}
document.addEventListener("scroll", tellNewer);
newer.addEventListener("click", () => document.getElementById(newer.value).scrollIntoView({ block: "start" }));

// What the reader opened stays open in the newer card, and what is being written stays written.
function keep(known, fresh) {
  for (const opened of known.querySelectorAll("details[open]")) {
    fresh.querySelector(`details[data-part="${opened.dataset.part}"]`)?.setAttribute("open", "");
  }
  const [before, after] = [known, fresh].map((card) => card.querySelector("[data-revise] textarea"));
  if (before && after) after.value = before.value;
  const [held, empty] = [known, fresh].map((card) => card.querySelector("[data-give] input"));
  if (held?.files.length && empty) empty.replaceWith(held);
  const next = known.querySelector(".next");
  if (next) fresh.append(next);
}

async function ask(question, file) {
  acted = Date.now();
  const said = { ...place(), text: question, event: crypto.randomUUID() };
  const answer = await (file ? send("/give", { method: "POST", body: body({ ...said, file }) }) : send("/ask", json(said)));
  if (!answer) return;
  if (!answer.refused && text.value === question) text.value = "";
  if (answer.html) show(answer.html);
  history.replaceState(null, "", answer.address);
  document.getElementById("deleted")?.remove();
  if (answer.html) await renew();
}

function body(fields) {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

// A file of molecules goes with the words that were written; the server says what is missing.
document.addEventListener("molecules", (event) => ask(text.value, event.detail));
form.addEventListener("submit", (event) => { event.preventDefault(); ask(text.value); });
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  const opened = document.querySelector("details.menu[open]");
  if (opened) { opened.removeAttribute("open"); opened.querySelector("summary").focus(); } else if (!close()) menu(false);
});

const doors = { open: (target) => open(target.getAttribute("href"), target), close, logout: leave, copy, action: act, example: (target) => ask(target.dataset.example) };
document.addEventListener("click", (event) => {
  for (const opened of document.querySelectorAll("details.menu[open]")) {
    if (!opened.firstElementChild.contains(event.target)) opened.removeAttribute("open");
  }
  const name = Object.keys(doors).find((one) => event.target.closest(`[data-${one}]`));
  const target = name && event.target.closest(`[data-${name}]`);
  if (!target || (name === "open" && (event.ctrlKey || event.metaKey || event.shiftKey))) return;
  if (target.matches("a")) event.preventDefault();
  if (name !== "close") menu(false);
  doors[name](target);
});

async function leave() {
  const answer = await send("/logout", { method: "POST" });
  if (answer) window.location.assign(answer.address);
}

// The answer as text: its sources below, its buttons left out.
async function copy(button) {
  const body = button.closest(".card").querySelector(".body");
  const folded = [...body.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
  const words = body.innerText.replace(/\n{3,}/g, "\n\n").trim();
  for (const one of folded) one.open = false;
  try {
    await navigator.clipboard.writeText(words);
    tell("Copied.");
  } catch {
    tell("The browser does not let this page copy. Use Export.");
  }
}

async function act(button) {
  let value = button.dataset.value;
  if (button.dataset.action === "feedback" && value.endsWith(" down")) {
    const comment = await askReader({ title: "What is not right?", told: "A few words help; they are not needed.", yes: "Send", field: "" });
    if (comment === null) return;
    value = `${value} ${comment}`.trim();
  }
  button.disabled = true;
  const answer = await press(button.dataset.action, value);
  if (button.dataset.action === "stop" && answer) button.textContent = "Stopping…";
  else button.disabled = false;
}

async function press(action, value) {
  acted = Date.now();
  const answer = await send("/act", json({ ...place(), action, value, event: crypto.randomUUID() }));
  if (answer?.html) show(answer.html);
  return answer;
}

// A file for the section whose form this is.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-give]");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form);
  const fields = { ...place(), value: form.dataset.give, event: crypto.randomUUID() };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const button = form.querySelector("button");
  button.disabled = true;
  const answer = await send("/give", { method: "POST", body });
  button.disabled = false;
  if (!answer) return;
  form.reset();
  form.closest("details").removeAttribute("open");
  if (answer.html) show(answer.html);
});

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

function watch() {
  const events = new EventSource(`/events?${address()}`);
  events.addEventListener("post", (event) => show(JSON.parse(event.data)));
}
watch();
showEnd();
offer();
welcome();
form.querySelector("button").disabled = false; // until here the browser itself would send the form
