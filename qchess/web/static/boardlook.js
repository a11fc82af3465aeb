// How the board looks. A style sheet made here is allowed by a policy that forbids styles inside pages.

export const BOARD_LOOK = `
:host{--light:#f1ecdf;--dark:#b4c0c8;--ink:#26313b;--halo:#f7f3ea;--last:#f0c64a;--first:#fffdf7;--second:#39424b;--third:#f2b8a0;--fourth:#9fc7e8;
 --panel:#fffdf8;--edge:#cfc8b8;--accent:#1d5f8a;--accentink:#fff;--go:#1d5f8a;
 display:block;color:var(--ink);font:15px/1.4 ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;-webkit-tap-highlight-color:transparent}
@media(prefers-color-scheme:dark){:host(:not([theme=light])){--light:#8b97a2;--dark:#5d6974;--ink:#eef2f5;--halo:#20272e;--last:#c59a2b;--first:#fbf7ee;--second:#14191e;--third:#e59f83;--fourth:#7fb2dc;
 --panel:#222a32;--edge:#46525e;--accent:#8cc4ee;--accentink:#10202c;--go:#b9e0ff}}
:host([theme=dark]){--light:#8b97a2;--dark:#5d6974;--ink:#eef2f5;--halo:#20272e;--last:#c59a2b;--first:#fbf7ee;--second:#14191e;--third:#e59f83;--fourth:#7fb2dc;
 --panel:#222a32;--edge:#46525e;--accent:#8cc4ee;--accentink:#10202c;--go:#b9e0ff}
*{box-sizing:border-box}
[hidden]{display:none!important}
.stage{position:relative;width:100%;margin:0 auto;max-width:calc((var(--qc-high,100dvh - var(--qc-around,11.5rem))) * var(--ratio,1));min-width:min(100%,var(--qc-least,16rem))}
.art{position:relative;line-height:0}
svg.picture{display:block;width:100%;height:auto;overflow:visible}
svg text{font-family:inherit;fill:var(--ink)}
.mid{text-anchor:middle}.end{text-anchor:end}
.light{fill:var(--light)}.dark{fill:var(--dark)}.last{fill:var(--last);fill-opacity:.5}
.gridline{stroke:var(--ink);stroke-opacity:.5;stroke-width:1.2;fill:none}
.label{font-size:10px;opacity:.85}
.group{fill-opacity:.17;stroke-width:2.4}
.man{stroke-width:1.6;stroke-linejoin:round}.lines{fill:none;stroke-width:1.6;stroke-linecap:round}
.ghost .man{stroke-dasharray:2.6 1.5}
.man.first{fill:var(--first)}.man.second{fill:var(--second)}.man.third{fill:var(--third)}.man.fourth{fill:var(--fourth)}
.man.first,.man.third,.man.fourth,.lines.first,.lines.third,.lines.fourth{stroke:#20252b}.man.second,.lines.second{stroke:#dfe5ea}
svg .letters{font-weight:650;font-size:21px;stroke:none}svg .letters.long{font-size:15px}
svg .letters.first,svg .letters.third,svg .letters.fourth{fill:#20252b}svg .letters.second{fill:#eef1f4}
.man.red,.lines.red{stroke:#b3261e}svg .letters.red{fill:#b3261e}
.track,.rim,.ring{fill:none}.track{stroke:var(--ink);stroke-opacity:.18;stroke-width:3}
.rim{stroke:var(--ink);stroke-width:4.6;stroke-opacity:.75}.ring{stroke-width:3}
:host([theme=dark]) .rim{stroke:#f2f5f7;stroke-opacity:.8}
@media(prefers-color-scheme:dark){:host(:not([theme=light])) .rim{stroke:#f2f5f7;stroke-opacity:.8}}
.face{stroke:#fff;stroke-width:1.1}.hand{stroke:#fff;stroke-width:1.6;stroke-linecap:round;fill:none}.hand.onlight{stroke:#1a1a1a}
.pointer{stroke:#fff;stroke-width:1.1}
.bar{stroke-width:1}
svg .odds{font-weight:700;font-size:12.5px;stroke:var(--halo);stroke-width:3.4px;paint-order:stroke;stroke-linejoin:round}
svg .odds.long{font-size:10px}svg .odds.longer{font-size:9px}svg .tag{font-size:11px}
.link{fill:none;stroke-width:2.2;stroke-linecap:round}.link.under{stroke:var(--halo);stroke-width:4.6;stroke-opacity:.75}
.link.either{stroke-dasharray:5 4}.link.linked{stroke-dasharray:1 4}
.knot{fill:var(--panel);stroke:var(--ink);stroke-width:1}svg .knottext{font-size:10px;font-weight:700}
.arrow{fill:none;stroke-width:3.8;stroke-linecap:round;stroke-opacity:.78}.head{stroke:var(--halo);stroke-width:1}
.letters,.label,.odds,.knottext{pointer-events:none;user-select:none;-webkit-user-select:none}
.grid{position:absolute;display:grid;touch-action:none;user-select:none;-webkit-user-select:none;-webkit-touch-callout:none}
.row{display:contents}
.cell{position:relative;outline:none;min-width:0;min-height:0}
.grid.playable .cell.can{cursor:pointer}
.cell:focus-visible,.cell.lit{box-shadow:inset 0 0 0 3px var(--accent)}
.cell:focus-visible{z-index:2;outline:2px solid var(--panel);outline-offset:-5px}
.cell.picked{box-shadow:inset 0 0 0 4px var(--go);background:color-mix(in srgb,var(--go) 18%,transparent)}
.cell.part{outline:max(3px,.6cqi) dashed #8e44ad;outline-offset:max(-4px,-.8cqi);border-radius:6px;background:color-mix(in srgb,#b06fd0 12%,transparent)}
.cell.target::after{content:"";position:absolute;left:50%;top:50%;width:30%;height:30%;transform:translate(-50%,-50%);border-radius:50%;background:var(--go);opacity:.62;box-shadow:0 0 0 2px var(--halo)}
.cell.target.full::after{width:88%;height:88%;background:none;border:max(3px,.55cqi) solid var(--go);opacity:.8;box-shadow:none}
.cell.target:hover::after{opacity:1}
.cell.armed{background:color-mix(in srgb,var(--last) 45%,transparent)}
.chance{position:absolute;left:50%;top:2%;transform:translateX(-50%);font-weight:700;font-size:clamp(9px,2cqi,15px);line-height:1.2;padding:0 .35em;white-space:nowrap;border-radius:.5em;background:var(--go);color:var(--accentink);pointer-events:none}
:host{container-type:inline-size}
.drag{position:absolute;pointer-events:none;z-index:5;width:calc(100%/var(--wide,8));opacity:.85;transform:translate(-50%,-60%)}
.previewing{position:absolute;left:50%;top:0;transform:translate(-50%,-35%);z-index:4;background:var(--accent);color:var(--accentink);padding:.1rem .7rem;border-radius:1rem;font-size:.85rem;line-height:1.5;white-space:nowrap}
.under{display:var(--qc-under,flex);flex-wrap:wrap;gap:.4rem;align-items:center;justify-content:center;margin:.5rem auto 0}
.modes{display:inline-flex;border:1px solid var(--edge);border-radius:.7rem;overflow:hidden;background:var(--panel)}
.modes button{font:inherit;color:inherit;background:none;border:0;padding:.45rem .95rem;min-height:44px;min-width:5.2rem;cursor:pointer;display:inline-flex;gap:.4rem;align-items:center;justify-content:center}
.modes button+button{border-left:1px solid var(--edge)}
.modes button[aria-checked=true]{background:var(--accent);color:var(--accentink);font-weight:650}
.modes button[aria-disabled=true]{opacity:.72}
.modes button:focus-visible,.chip:focus-visible,.picker button:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}
.modes button[aria-checked=true]:focus-visible{outline-color:var(--accentink)}
.modes svg{width:1.15rem;height:1.15rem}
.modes kbd{font:inherit;font-size:.75rem;opacity:.85}
@media(pointer:coarse){.modes kbd{display:none}}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;justify-content:center}
.chip{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:1rem;padding:.3rem .8rem;min-height:40px;cursor:pointer}
.chip:hover,.picker button:hover{border-color:var(--accent)}
.say{display:var(--qc-under,block);min-height:1.5em;text-align:center;margin:.35rem 0 0;font-size:.95rem}
.picker{position:absolute;z-index:6;left:50%;top:50%;transform:translate(-50%,-50%);background:var(--panel);border:1px solid var(--edge);border-radius:.8rem;padding:.7rem;box-shadow:0 8px 30px #0005;max-width:96%;max-height:96%;overflow:auto;line-height:1.35}
.picker h2{font-size:.95rem;font-weight:600;margin:0 0 .5rem;text-align:center}
.picker ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem;justify-content:center}
.picker button{font:inherit;color:inherit;background:none;border:1px solid var(--edge);border-radius:.6rem;padding:.35rem .7rem;min-height:44px;min-width:44px;cursor:pointer;text-align:left}
.picker button svg{display:block;width:3rem;height:3rem;margin:0 auto}
.picker button small{display:block;opacity:.9}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@container(max-width:30rem){.say{display:var(--qc-under,block);min-height:2.9em}}
@media(prefers-reduced-motion:no-preference){.cell.target::after{transition:opacity .12s}}
@media(forced-colors:active){.cell.picked,.cell.part,.cell:focus-visible{outline:3px solid Highlight;outline-offset:-3px}.modes button[aria-checked=true]{forced-color-adjust:none}}
`;
