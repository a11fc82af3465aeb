// How the viewer looks: the same colours and shapes as the pages' look.css, bound to the element.

export const VIEWER_LOOK = `
:host{--page:#f5f3ef;--panel:#fffefb;--ink:#1b2129;--quiet:#59626e;--edge:#dcd7cd;--accent:#5140c9;--accentink:#fff;--soft:#ebe7df;--accentsoft:#e9e6fa;--danger:#c62828;--yes:#0b6e4f;--no:#8a4b00;
 display:block;container-type:inline-size;color:var(--ink);font:16px/1.45 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
@media(prefers-color-scheme:dark){:host(:not([theme=light])){--page:#14171c;--panel:#1e232a;--ink:#edf0f3;--quiet:#a5b0bc;--edge:#353d47;--accent:#ada0ff;--accentink:#161031;--soft:#2a3038;--accentsoft:#312c56;--danger:#ff5a52;--yes:#6fd6ab;--no:#ffb65c}}
:host([theme=dark]){--page:#14171c;--panel:#1e232a;--ink:#edf0f3;--quiet:#a5b0bc;--edge:#353d47;--accent:#ada0ff;--accentink:#161031;--soft:#2a3038;--accentsoft:#312c56;--danger:#ff5a52;--yes:#6fd6ab;--no:#ffb65c}
*{box-sizing:border-box}[hidden]{display:none!important}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
h2{font-size:1rem;font-weight:500;margin:0 0 .5rem}
code{font:600 .95em ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere}
.quiet{color:var(--quiet);font-size:.9rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.viewer{display:grid;gap:.8rem;grid-template-columns:minmax(0,1fr);align-items:start}
@container(min-width:42rem){.viewer{grid-template-columns:minmax(0,1.15fr) minmax(17rem,1fr)}}
@container(min-width:42rem){.boardside{position:sticky;top:.5rem}}
.boardside,.side{min-width:0}.side{display:grid;gap:.7rem;align-content:start}
qc-board{--qc-around:8rem}
button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:.7rem;padding:.4rem .8rem;min-height:44px;cursor:pointer}
button:hover:not(:disabled){border-color:var(--accent)}button:disabled{opacity:.45;cursor:default}
button[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.icon{display:inline-grid;place-items:center;padding:0;flex:1 1 2.4rem;max-width:3.6rem}
.icon svg{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
.card{background:var(--panel);border:1px solid var(--edge);border-radius:.9rem;padding:.7rem .8rem;min-width:0}
.row{display:flex;flex-wrap:wrap;gap:.3rem}.jump{justify-content:space-between}
summary{cursor:pointer;font-weight:600}details[open]>summary{margin-bottom:.5rem}
.sentence{margin:0;min-height:2.9em;overflow-wrap:anywhere}
.shots{font-size:.92rem;min-width:0}
.shots summary{font-weight:400;color:var(--quiet);overflow-wrap:anywhere}
.shots .line+.line{display:block}
.shots .body{max-height:14rem;overflow:auto}
.shots table{border-collapse:collapse;margin:0 0 .6rem;font-variant-numeric:tabular-nums}
.shots caption{text-align:left;color:var(--quiet)}
.shots th,.shots td{font-weight:400;text-align:center;padding:.05rem .5rem}
.shots thead th{font-weight:600}
.shots .times{text-align:right}
.shots [scope=row]{text-align:left}
.moves ol{list-style:none;counter-reset:turn;margin:0 0 .5rem;padding:0;max-height:14rem;overflow:auto;position:relative}
:host([tree]) .moves ol{display:none}
.moves li{counter-increment:turn;display:grid;grid-template-columns:26px 1fr 1fr;align-items:center;gap:0 2px;margin-bottom:2px}
.moves li::before{content:counter(turn);color:var(--quiet);font-size:13px}
.ply{display:flex;flex-wrap:wrap;gap:2px 6px;align-items:center;text-align:left;font-weight:500;background:none;border:0;border-radius:8px;padding:2px 8px;min-height:34px;overflow-wrap:anywhere}
.ply:hover{background:var(--soft)}.ply[aria-current]{background:var(--accentsoft);box-shadow:inset 0 0 0 1.5px var(--accent)}.ply.lit{box-shadow:inset 0 0 0 2px var(--accent)}
.res{font-size:12.5px;font-weight:700;line-height:18px;color:var(--quiet);border:1.5px solid currentColor;border-radius:99px;padding:0 7px;white-space:nowrap}.res.yes{color:var(--yes)}.res.no{color:var(--no)}
@media(pointer:coarse){.ply{min-height:44px}}
.brief{display:inline-flex;align-items:center;gap:6px}
.fig{flex:none;width:24px;height:24px;border-radius:6px;display:grid;place-items:center}.fig:not(.letter){background:#9db0c3}.fig path:first-child{stroke-width:11}.letter{font-size:13px}.letter.red{color:var(--danger)}
.says{font-weight:400;overflow-wrap:anywhere}
.outcomes{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.5rem}
.outcome{display:grid;grid-template-columns:1fr;align-content:start;gap:.25rem;padding:.45rem;text-align:left;font-size:.88rem;line-height:1.35}
.outcome span{overflow-wrap:anywhere}.outcome progress{width:100%;height:.45rem;accent-color:var(--accent)}
.outcome qc-board{pointer-events:none;--qc-around:0rem;max-width:11rem;justify-self:center;width:100%}
.signs{list-style:none;margin:0;padding:0;display:grid;gap:.45rem;font-size:.92rem}
.signs li{display:grid;grid-template-columns:2.2rem 1fr;gap:.6rem;align-items:start}.signs li.caption{grid-template-columns:1fr}
.signs li.caption{color:var(--quiet)}.signs .sign{width:2.2rem;height:1.5rem}
.signs svg text{font-weight:700;text-anchor:middle}
.switch{display:flex;gap:.6rem;align-items:center;margin-top:.6rem}
/* one panel: below the board as high as is left, beside it as high as the board; its inside scrolls */
:host([panel]) .viewer{display:flex;flex-direction:column;gap:0;align-items:stretch;height:calc(100dvh - 44px)}
:host([panel]) .boardside{position:static;flex:none}
:host([panel]) .side{display:flex;flex-direction:column;gap:0;flex:1;min-height:0;background:var(--panel)}
:host([panel]) .inside{flex:1;min-height:0;min-width:0;overflow:auto;overscroll-behavior:contain;position:relative;padding:12px 14px}
:host([panel]) .say{flex:none;order:-1;height:66px;overflow:auto;padding:6px 14px;font-size:14px;line-height:18px;background:var(--page)}
:host([panel]) .sentence{min-height:0}
:host([panel]) .card{background:none;border:0;padding:0}
:host([panel]) .card.legend{margin-top:12px}
:host([panel]) .jump{flex:none;padding:2px 8px;border-top:1px solid var(--edge);flex-wrap:nowrap}
:host([panel]) .jump .icon{border-color:transparent;background:none;color:var(--quiet);min-height:42px}
:host([panel]) qc-board{--qc-high:var(--b);--qc-least:0px}
:host([panel]) qc-board::part(say){display:none}
:host([follow]) .jump :is(.first,.previous,.next,.last){display:none}
:host([follow]) .jump{justify-content:flex-end}
:host([follow]) qc-board{--qc-under:none}
@media(max-height:739px){:host([panel]) .say{height:32px}}
@media not ((min-width:900px) and (orientation:landscape)){:host([asked]) :is(.say,.jump){display:none}}
@media(min-width:900px) and (orientation:landscape),(min-width:640px) and (max-height:560px){
:host([panel]) .viewer{display:grid;height:auto;align-items:start;gap:16px;grid-template-columns:var(--b) var(--p);justify-content:center}
:host([panel]) .side{height:calc(var(--b) + 80px);border:1px solid var(--edge);border-radius:12px;overflow:hidden}
:host([panel]) .inside{padding:14px 16px}
:host([panel]) .say{order:0;height:auto;margin:0 12px 12px;padding:10px 14px;background:var(--soft);border-radius:10px;max-height:34%}
:host([panel]) .jump{height:48px}
}
`;
