// In studies, lessons and classes men move as at a table; what plays it is loaded after the first board is there.

/** Plays what came one move after what was shown. @param {any} table @param {import("./board.js").QcBoard} board */
export async function move(table, board) {
  const { Motion } = await import("./motion.js");
  const motion = new Motion(table, board);
  /** the moves to the position that is shown, in its game */
  let line = lineTo(table, table.shown);
  table.addEventListener("shown", (/** @type {CustomEvent} */ event) => {
    const { ply, view } = event.detail, isNext = ply > 0 && lineTo(table, ply - 1) === line;
    line = lineTo(table, ply);
    // a drag has brought its piece there, whoever's turn it was
    if (isNext) motion.take({ kind: "moved", ply, view, by: table.state.you });
  });
}

/** @param {any} table @param {number} ply */
function lineTo({ state }, ply) {
  return state ? JSON.stringify([state.rules, state.history.slice(0, ply).map((/** @type {any} */ { text }) => text)]) : "";
}
