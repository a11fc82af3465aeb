// Questions to the server that come as JSON and are answered as JSON.

/**
 * The answer to a question; an error with the server's sentence where it is refused.
 * @param {string} address @param {any} [data] what is asked; without it, what is there
 * @returns {Promise<any>}
 */
export async function ask(address, data) {
  const how = data === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
  const answer = await fetch(address, how);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error ?? `the server answered ${answer.status}`);
  return told;
}
