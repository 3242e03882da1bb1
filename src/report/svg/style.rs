//! The style of pictures: colours that everyone can tell apart, for light and dark screens and for paper.
//!
//! Source: M. Okabe, K. Ito 2008, Color universal design; blue and vermilion are lighter on dark screens.

/// The style sheet, for a picture in a file of its own and for pages.
pub(in crate::report) const STYLE: &str = "
:root{--page:#fff;--ink:#1b1e23;--soft:#5b626c;--rule:#e3e6ea;--edge:#8b929c;--faint:#b9bfc7;--heat:#0072b2;--cost:#b34a00;--over:#fff;--between:#1b1e23;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0598a;--c4:#c98a00;--c5:#3d9bd1;--c6:#1b1e23;--shade:#3a3f47;--on-shade:#fff}
@media (prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e8eaed;--soft:#a9b0ba;--rule:#2b3037;--edge:#79818c;--faint:#59616b;--heat:#6cc0f0;--cost:#f2a05c;--over:#0c0e10;--between:#0c0e10;--c0:#4aa8e8;--c1:#f0803c;--c2:#2fc49a;--c3:#dd93bd;--c4:#f0b429;--c5:#9ad4f5;--c6:#e8eaed;--shade:#4a515b;--on-shade:#fff}}
@media print{:root{--page:#fff;--ink:#000;--soft:#333;--rule:#ddd;--edge:#666;--faint:#aaa;--heat:#0072b2;--cost:#b34a00;--over:#fff;--between:#000;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0598a;--c4:#c98a00;--c5:#3d9bd1;--c6:#000;--shade:#3a3f47;--on-shade:#fff}}
svg.figure{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;max-width:100%;height:auto}
.figure text{fill:var(--ink);font-size:12px}
.figure .page{fill:var(--page)}
.figure text.heading{font-size:inherit;font-weight:bold}
.figure text.tick{font-size:11px;fill:var(--soft)}
.figure text.axis-title,.figure text.legend-heading{fill:var(--soft)}
.figure text.panel{font-weight:bold}
.figure text.over{fill:var(--over)}
.figure text.between{fill:var(--between)}
.figure text.on-shade{fill:var(--on-shade)}
.figure g text{font-size:inherit}
.figure .grid{stroke:var(--rule);stroke-width:1}
.figure .axis{stroke:var(--edge);stroke-width:1}
.figure .series,.figure .others,.figure .lines{fill:none;stroke-width:1.8;stroke-linejoin:round}
.figure .others{stroke:var(--faint);stroke-width:.8}
.figure .lines{stroke:var(--ink)}
.figure .whisker{stroke:var(--ink);stroke-width:1.5}
.figure .dot{fill:var(--c0);stroke:var(--page);stroke-width:1}
.figure .hollow{fill:var(--page);stroke:var(--c0);stroke-width:1.6}
.figure .joined{stroke:var(--c0);stroke-width:3.2;stroke-linecap:round}
.figure .band{stroke:none;fill-opacity:.16}
.figure .s0{stroke:var(--c0)}.figure .s1{stroke:var(--c1);stroke-dasharray:7 3}.figure .s2{stroke:var(--c2);stroke-dasharray:2 2.5}.figure .s3{stroke:var(--c3);stroke-dasharray:10 3 2 3}.figure .s4{stroke:var(--c4);stroke-dasharray:14 4}.figure .s5{stroke:var(--c5);stroke-dasharray:5 2 1 2 1 2}.figure .s6{stroke:var(--c6);stroke-dasharray:4 4}
.figure .c0{fill:var(--c0)}.figure .c1{fill:var(--c1)}.figure .c2{fill:var(--c2)}.figure .c3{fill:var(--c3)}.figure .c4{fill:var(--c4)}.figure .c5{fill:var(--c5)}.figure .c6{fill:var(--c6)}
.figure .whisker,.figure .hollow{stroke-dasharray:none}
.figure .mark{stroke:var(--page);stroke-width:1}
.figure .heat{fill:var(--heat)}
.figure .cost{fill:var(--cost)}
.figure .never{fill:none;stroke:var(--edge);stroke-width:1;stroke-dasharray:2 2}
.figure .cell{fill:none;stroke:var(--rule);stroke-width:1}
.figure .thin{fill:none;stroke:var(--faint);stroke-width:.7}
.figure .cage{fill:none;stroke:var(--ink);stroke-width:1.7;stroke-linecap:square}
.figure .box{fill:none;stroke:var(--ink);stroke-width:2.8;stroke-linecap:square}
.figure .shade{fill:var(--shade)}
.figure .on-shade-line{stroke:var(--on-shade);stroke-width:.7;stroke-opacity:.6}
";
