//! The style of the page around the pictures.

/// The style sheet; its colours are those of the pictures.
pub(super) const PAGE_STYLE: &str = "
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1.2rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;margin:3rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--rule)}
h3{font-size:1rem;margin:1.4rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.6rem 0}
a{color:var(--c0)}
code,pre{font-family:ui-monospace,'Cascadia Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:.85em}
pre{margin:.6rem 0;padding:.7rem .9rem;border:1px solid var(--rule);border-radius:4px;overflow-x:auto;line-height:1.4}
pre code{font-size:1em}
dl.summary{display:flex;flex-wrap:wrap;gap:.6rem 2.4rem;margin:0 0 1.2rem}
dl.summary div{display:flex;flex-direction:column}
dl.summary dd{margin:0;font-size:1.7rem;font-weight:600;line-height:1.2}
dl.summary dt{color:var(--soft);font-size:.9rem}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:.8rem 0}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
nav ol{columns:2 18rem;margin:0;padding-left:1.3rem;font-size:.95rem}
figure{margin:1.2rem 0 1.8rem}
figure h3{margin-top:0}
figcaption,.note,.remarks{color:var(--soft);font-size:.88rem;line-height:1.5;max-width:46rem}
figcaption{margin-top:.4rem}
.note b{color:var(--ink);font-weight:600}
.remarks{padding-left:1.2rem}
.absent{color:var(--soft)}
.warning{border-left:4px solid var(--c1);padding:.3rem .8rem}
svg.narrow{display:none}
.figure .chart{pointer-events:all}
.figure [role=button]{cursor:pointer}
.figure [aria-pressed=false]{opacity:.35}
.figure [role=button]:focus-visible,.figure .chart:focus-visible{outline:2px solid var(--c0)}
.values{position:absolute;z-index:1;max-width:20rem;padding:.35rem .6rem;border:1px solid var(--edge);border-radius:4px;background:var(--page);font-size:.8rem;line-height:1.4;pointer-events:none;font-variant-numeric:tabular-nums}
th button{all:unset;cursor:pointer}
th button:focus-visible{outline:2px solid var(--c0)}
th[aria-sort=ascending] button::after{content:' ↑'}
th[aria-sort=descending] button::after{content:' ↓'}
ul.tree,ul.tree ul{margin:0;padding-left:1.1rem}
ul.tree{padding-left:0;list-style:none}
.parameters{color:var(--soft)}
.panels{display:flex;flex-wrap:wrap;gap:0 1.2rem}
.panel{max-width:100%}
.panel h3{margin:.6rem 0 .5rem}
.puzzles{display:flex;flex-wrap:wrap;gap:1rem 2rem}
.puzzles figure{margin:.4rem 0;max-width:100%}
.puzzles figcaption{max-width:20rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums;min-width:100%}
th,td{padding:.28rem .6rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{color:var(--soft);font-weight:600;vertical-align:bottom}
details.part{margin:1rem 0}
.number+th:not(.number),.number+td:not(.number){padding-left:.6rem}
.number{text-align:right;white-space:nowrap}
.interval{display:block;color:var(--soft);font-size:.85em;font-weight:400}
details summary{cursor:pointer;color:var(--soft)}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem}
@media screen and (max-width:45rem){
main{padding:1.5rem 1.25rem 3rem}
svg.broad{display:none}
svg.narrow{display:block;width:100%;max-width:30rem}
dl.facts{display:block}
dl.facts dt{margin-top:.5rem}
}
@media print{
body{font-size:10pt}
main{max-width:none;padding:0}
nav{display:none}
h2,h3{break-after:avoid}
.panels{gap:0 2%}
.panel:not(:only-child){max-width:48%}
figure{break-inside:avoid}
tr{break-inside:avoid}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.wide{overflow:visible}
table{font-size:7pt}
th,td{padding-right:.3rem}
a{color:inherit}
}
";
