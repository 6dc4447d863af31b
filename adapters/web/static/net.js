// How the page talks to the server, and where it says that this failed.

export const house = document.getElementById("house");
export const problem = document.getElementById("problem");
export const place = () => ({ channel: house.dataset.channel, thread: house.dataset.thread });
export const address = () => `channel=${encodeURIComponent(place().channel)}&thread=${encodeURIComponent(place().thread)}`;
export const headers = { "x-pestle": "page", ...(house.dataset.csrf ? { "x-pestle-csrf": house.dataset.csrf } : {}) };
export const fragment = (html) => document.createRange().createContextualFragment(html);
export const json = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const ours = (error) => (error.message === "Failed to fetch" ? "Pestle does not answer. Is `pestle up` still running?" : error.message);

// The answer, or null once the reader was told why there is none.
export async function send(where, options) {
  problem.textContent = "";
  try {
    const response = await fetch(where, { ...options, headers: { ...headers, ...(options.headers ?? {}) } });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } catch (error) {
    problem.textContent = ours(error);
    return null;
  }
}

export async function html(where) {
  const response = await fetch(where, { headers });
  return response.text();
}
