// What opens beside the thread: a passage in its place, the archive, the trace of a run.

import { fragment, house, html } from "./net.js";
import { settle } from "./sheet.js";

const drawer = document.getElementById("drawer");
let opener = null;

export async function open(address, from) {
  drawer.replaceChildren(fragment(await html(address)));
  drawer.hidden = false;
  house.classList.add("with-drawer");
  if (!drawer.contains(from)) mark(from);
  drawer.querySelector("[data-close]")?.focus();
  drawer.scrollTop = 0;
  settle(drawer);
}

function mark(from) {
  opener?.classList.remove("seen");
  opener = from ?? opener;
  opener?.classList.add("seen");
}

export function close() {
  if (drawer.hidden) return false;
  drawer.hidden = true;
  house.classList.remove("with-drawer");
  opener?.classList.remove("seen");
  opener?.focus();
  return true;
}
