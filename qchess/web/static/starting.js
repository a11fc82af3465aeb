// Opens a table, and goes there.
import { ask } from "./askserver.js";
import { keepGame } from "./running.js";

/** @param {{name: string, players: string[]}} game @param {string} opponent who sits at the other seats @param {{own?: string, body?: Record<string, any>}} [order] what is set under "More settings" */
export async function start({ name, players }, opponent, { own = players[0], body = {} } = {}) {
  const seats = Object.fromEntries(players.map((player) => [player, player === own ? "human" : opponent]));
  const told = await ask("/api/tables", { game: name, seats, ...body });
  const others = Object.entries(told.seats).filter(([player]) => player !== own).map(([player, secret]) => `&for-${player}=${secret}`).join("");
  keepGame({ game: told.game, you: own, seat: told.seats[own] });
  window.location.assign(`/play/${encodeURIComponent(told.game)}#seat=${told.seats[own]}${others}`);
}
