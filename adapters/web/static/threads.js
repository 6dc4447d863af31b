// The list of threads: search, a new title, delete and undo; on a phone it is a menu.

import { askReader, tell } from "./dialog.js";
import { address, house, html, json, place, send } from "./net.js";

const list = document.getElementById("threads");
const search = document.getElementById("thread-search");
const button = document.getElementById("menu-button");
let wait = 0;

export async function renew() {
  const found = await html(`/threads?${address()}&q=${encodeURIComponent(search.value)}`);
  list.innerHTML = found;
  const title = list.querySelector("a[aria-current] span")?.textContent;
  if (!title) return;
  document.title = `${title} · Pestle`;
  document.querySelector(".bar strong").textContent = title;
}

window.addEventListener("focus", renew); // others may have begun a thread
search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(renew, 150); });

async function change(wish) {
  if (await send("/threads", json(wish))) await renew();
}

const named = (target) => ({ channel: target.parentElement.dataset.channel, thread: target.parentElement.dataset.thread });

async function rename(target) {
  const title = await askReader({ title: "Rename this thread", yes: "Rename", field: target.parentElement.dataset.title });
  if (title !== null) await change({ ...named(target), do: "rename", title: title.slice(0, 120) });
}

async function remove(target) {
  const wish = named(target);
  await change({ ...wish, do: "delete" });
  tell("The thread is deleted.", () => change({ ...wish, do: "restore" }));
}

async function restore() {
  await change({ ...place(), do: "restore" });
  document.getElementById("deleted")?.remove();
}

export function menu(open) {
  if (house.classList.contains("menu-open") === open) return false;
  house.classList.toggle("menu-open", open);
  button.setAttribute("aria-expanded", String(open));
  if (open) { renew(); search.focus(); } else button.focus();
  return true;
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-rename], [data-delete], [data-restore]");
  if (target?.matches("[data-rename]")) rename(target);
  else if (target?.matches("[data-delete]")) remove(target);
  else if (target) restore();
  else if (event.target === button) menu(!house.classList.contains("menu-open"));
  else if (event.target === house) menu(false);
});
