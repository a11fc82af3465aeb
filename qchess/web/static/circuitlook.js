// How the circuit panel looks. A style sheet made here is allowed by a policy that forbids styles inside pages.

export const CIRCUIT_LOOK = `
:host{--ink:#1b2129;--panel:#fffefb;--edge:#dcd7cd;--accent:#5140c9;--accentink:#fff;--glow:#ffe08a;
 display:block;color:var(--ink);font:15px/1.4 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
@media(prefers-color-scheme:dark){:host(:not([theme=light])){--ink:#edf0f3;--panel:#1e232a;--edge:#353d47;--accent:#ada0ff;--accentink:#161031;--glow:#6d5a1a}}
:host([theme=dark]){--ink:#edf0f3;--panel:#1e232a;--edge:#353d47;--accent:#ada0ff;--accentink:#161031;--glow:#6d5a1a}
*{box-sizing:border-box}[hidden]{display:none!important}
.kinds{display:inline-flex;border:1px solid var(--edge);border-radius:.7rem;overflow:hidden;background:var(--panel)}
button{font:inherit;color:inherit;background:none;border:0;cursor:pointer}
.kinds button{padding:.4rem .9rem;min-height:44px}.kinds button+button{border-left:1px solid var(--edge)}
.kinds button[aria-checked=true]{background:var(--accent);color:var(--accentink);font-weight:650}
button:focus-visible,.picture:focus-visible,.scroll:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}
.caption{margin:.5rem 0;min-height:1.4em}
.picture,.scroll{overflow:auto;max-height:24rem;background:var(--panel);border:1px solid var(--edge);border-radius:.6rem;padding:.2rem}
.qchess-circuit{color:var(--ink);--paper:var(--panel)}
.qchess-circuit text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:currentColor}
.mid{text-anchor:middle}.end{text-anchor:end}
.wire,.link,.ring{stroke:currentColor;stroke-width:1.4;fill:none}.wire{opacity:.55}
.dot{fill:currentColor}.box{stroke:currentColor;stroke-width:1.4;fill:var(--paper)}.ask{fill:#e9b949;fill-opacity:.28}
.step{cursor:pointer}.step:focus{outline:none}
.step:hover .box,.step:focus .box,.step.lit .box{fill:var(--glow);stroke-width:2.4}
.step:hover .link,.step:focus .link,.step.lit .link,.step:hover .ring,.step:focus .ring,.step.lit .ring{stroke:var(--accent);stroke-width:3}
.step:focus-visible .box{stroke:var(--accent);stroke-width:3}
.qubit.lit .wire,.qubit:hover .wire{stroke:var(--accent);stroke-width:3.5;opacity:1}.qubit.lit text,.qubit:hover text{font-weight:700;fill:var(--accent)}
table{border-collapse:collapse;margin:.6rem 0;font-size:.9rem;display:block;overflow-x:auto;max-width:100%}
th,td{padding:.1rem .55rem;text-align:right;font-weight:400}thead th{opacity:.85;font-size:.82rem}th:first-child{text-align:left;padding-left:0}
tbody button{padding:.2rem .5rem;border:1px solid var(--edge);border-radius:.5rem;min-height:32px;min-width:5rem;text-align:left;background:var(--panel)}
tbody button[aria-pressed=true]{background:var(--accent);color:var(--accentink);border-color:var(--accent)}
.copies button{padding:.25rem .7rem;margin:.15rem;border:1px solid var(--edge);border-radius:.6rem;background:var(--panel);min-height:36px}
textarea{width:100%;margin-top:.5rem;font:12px/1.35 ui-monospace,Menlo,Consolas,monospace;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:.5rem}
h3{font-size:.95rem;margin:.8rem 0 .3rem}.register p{margin:.2rem 0;font-size:.88rem}
.bars text,.qentropy text{font:11px ui-sans-serif,system-ui,Helvetica,Arial,sans-serif;fill:currentColor}
.amplitude{fill:var(--accent);stroke:var(--ink);stroke-width:.8}
.qentropy{color:var(--ink);max-width:100%}.own{fill:#d0742a}.both{fill:#0b7fa5}
`;
