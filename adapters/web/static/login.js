// Sends name and password, and goes on to the page.
"use strict";

const form = document.getElementById("login");
const problem = document.getElementById("problem");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.textContent = "";
  const body = JSON.stringify({ name: form.elements.name.value, password: form.elements.password.value, next: form.dataset.next });
  const headers = { "x-pestle": "page", "content-type": "application/json" };
  try {
    const response = await fetch("/login", { method: "POST", headers, body });
    if (!response.ok) throw new Error(await response.text());
    window.location.assign((await response.json()).address);
  } catch (error) {
    problem.textContent = error.message === "Failed to fetch" ? "Pestle does not answer. Try again." : error.message;
    form.elements.password.select();
  }
});
