// How the board looks. A style sheet made here is allowed by a policy that forbids styles inside pages.

/** The names and colours of the dark theme. */
const DARK = `--light:#a9b4bf;--dark:#66788c;--labellight:#2b3947;--labeldark:#fff;--last:#ffd95a;--lasting:.5;--dot:#0e141b;--dotting:.42;
 --ink:#edf0f3;--quiet:#a5b0bc;--panel:#1e232a;--edge:#353d47;--accent:#ada0ff;--accentink:#161031`;

export const BOARD_LOOK = `
:host{--light:#eee9de;--dark:#9db0c3;--labellight:#54677a;--labeldark:#26384a;--last:#ffdf6b;--lasting:.62;--dot:#1b2b3d;--dotting:.34;
 --ink:#1b2129;--quiet:#59626e;--panel:#fffefb;--edge:#dcd7cd;--accent:#5140c9;--accentink:#fff;--pick:#5140c9;
 display:block;container-type:inline-size;color:var(--ink);font:15px/1.4 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums;-webkit-tap-highlight-color:transparent}
@media(prefers-color-scheme:dark){:host(:not([theme=light])){${DARK}}}
:host([theme=dark]){${DARK}}
*{box-sizing:border-box}
[hidden]{display:none!important}
.stage{position:relative;width:100%;margin:0 auto;max-width:calc((var(--qc-high,100dvh - var(--qc-around,11.5rem))) * var(--ratio,1));min-width:min(100%,var(--qc-least,16rem))}
.art{position:relative;line-height:0}
svg.picture{display:block;width:100%;height:auto;border-radius:6px;box-shadow:var(--qc-shadow);overflow:hidden;forced-color-adjust:none}
svg text{font-family:inherit;pointer-events:none;user-select:none;-webkit-user-select:none}
.light{fill:var(--light)}.dark{fill:var(--dark)}.last{fill:var(--last);fill-opacity:var(--lasting)}
.gridline{stroke:var(--labeldark);stroke-opacity:.6;stroke-width:2.6;fill:none}
.label{font-weight:650;fill:var(--labellight)}.label.ondark{fill:var(--labeldark)}.end{text-anchor:end}
.tint{fill-opacity:.28}.pickfill{fill:var(--pick);fill-opacity:.22}.pick{stroke:var(--pick)}.pickline{stroke:#fff;stroke-opacity:.95}
.dot{fill:var(--dot);fill-opacity:var(--dotting)}.dotring{fill:none;stroke:var(--dot);stroke-opacity:var(--dotting);stroke-width:5}
.m{--own:#fffefa;--far:#1a1f26;--glass:#b4bdc7;--thin:6.4;--rim:8.6}.m.second{--own:#20252d;--far:#f6f3ec;--glass:#77828e;--thin:5;--rim:8}
.m.third{--own:#f2b8a0}.m.fourth{--own:#9fc7e8}.m.red{--far:#b3261e}
.s,.e{stroke:var(--far);stroke-linejoin:round}.s{fill:var(--own);stroke-width:var(--thin);paint-order:stroke}.e{fill:var(--glass);fill-opacity:.88;stroke-width:var(--rim)}
.f{fill:var(--own)}.r{fill:none;stroke:var(--own);stroke-width:3.6;stroke-linejoin:round}
.d,.o{fill:none;stroke:var(--far);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}.o{stroke:var(--own)}
.letters{text-anchor:middle;font-weight:700;font-size:44px;stroke:none;fill:var(--far)}.letters.long{font-size:34px}
.beside{text-anchor:middle;font-size:26px;font-weight:700;fill:#14181d}
.plate rect{stroke:#14181d;stroke-opacity:.9}.plate text{fill:#14181d}.plate.white text{fill:#fff}.plate tspan{font-size:.74em}
.plate text,.pt{text-anchor:middle;font-weight:750}
.link{fill:none;stroke-width:5;stroke-linecap:round}.link.under{stroke:var(--light);stroke-width:10;stroke-opacity:.75}
.link.either{stroke-dasharray:11 9}.link.linked{stroke-dasharray:2 9}
.arrow{fill:none;stroke-width:9;stroke-linecap:round;stroke-opacity:.85}.head{stroke:#fff;stroke-width:1.5}
.grid{position:absolute;inset:0;display:grid;touch-action:none;user-select:none;-webkit-user-select:none;-webkit-touch-callout:none}
.row{display:contents}
.cell{position:relative;outline:none;min-width:0;min-height:0}
.grid.playable .cell.can{cursor:pointer}
.cell.lit{box-shadow:inset 0 0 0 3px var(--pick)}
.cell:focus-visible{z-index:2;outline:3px solid #fff;outline-offset:-3px;box-shadow:inset 0 0 0 6px var(--pick)}
.drag{position:absolute;pointer-events:none;z-index:5;width:calc(100%/var(--wide,8));opacity:.85;transform:translate(-50%,-60%)}
.previewing{position:absolute;left:50%;top:0;transform:translate(-50%,-35%);z-index:4;background:var(--accent);color:var(--accentink);padding:.1rem .7rem;border-radius:1rem;font-size:.85rem;line-height:1.5;white-space:nowrap}
.under{display:var(--qc-under,flex);flex-wrap:wrap;gap:.4rem;align-items:center;justify-content:center;margin:.5rem auto 0}
.modes{display:inline-flex;border:1px solid var(--edge);border-radius:.7rem;overflow:hidden;background:var(--panel)}
.modes button{font:inherit;color:inherit;background:none;border:0;padding:.45rem .95rem;min-height:44px;min-width:5.2rem;cursor:pointer;display:inline-flex;gap:.4rem;align-items:center;justify-content:center}
.modes button+button{border-left:1px solid var(--edge)}
.modes button[aria-checked=true]{background:var(--accent);color:var(--accentink);font-weight:650}
.modes button[aria-disabled=true]{opacity:.72}
.modes button:focus-visible,.chip:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}
.modes button[aria-checked=true]:focus-visible{outline-color:var(--accentink)}
.modes svg{width:1.15rem;height:1.15rem}
.modes kbd{font:inherit;font-size:.75rem;opacity:.85}
@media(pointer:coarse){.modes kbd{display:none}}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;justify-content:center}
.chip{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:1rem;padding:.3rem .8rem;min-height:40px;cursor:pointer}
.chip:hover{border-color:var(--accent)}
.say{display:var(--qc-under,block);min-height:1.5em;text-align:center;margin:.35rem 0 0;font-size:.95rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@container(max-width:30rem){.say{display:var(--qc-under,block);min-height:2.9em}}
@media(forced-colors:active){.cell.picked,.cell.part,.cell:focus-visible{outline:4px solid Highlight;outline-offset:-4px}.cell.target,.cell.part{outline:2px dashed Highlight;outline-offset:-3px}.modes button[aria-checked=true]{forced-color-adjust:none}}
`;
