//! A page of pictures to click through, one a step.

use maud::{PreEscaped, html};

use super::super::graphic::{GENERATOR, page};
use super::Picture;

/// The rules of the page.
const RULES: &str = "\
body{margin:0 auto;max-width:46rem;padding:1rem;background:var(--page);color:var(--ink);font-family:Helvetica,Arial,'Liberation Sans',sans-serif}
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1rem;margin:.8rem 0 .2rem}h2 span{font-weight:normal;color:var(--soft);margin-left:.6em}
p{margin:.2rem 0 .6rem;line-height:1.45;min-height:2.9em}svg{max-width:100%;height:auto}
nav{display:flex;gap:.6rem;align-items:center;position:sticky;top:0;padding:.4rem 0;background:var(--page)}nav button{font:inherit;padding:.3rem .9rem}
nav input{flex:1;min-width:4rem}nav[hidden],section[hidden]{display:none}section:focus{outline:none}
@media print{nav{display:none}section[hidden]{display:block}section{break-inside:avoid}}
";

/// Shows one step at a time; without scripts all of them are there, one below the other.
const SCRIPT: &str = "\
const steps=[...document.querySelectorAll('section')],bar=document.querySelector('nav'),slider=bar.querySelector('input');
const [back,next]=bar.querySelectorAll('button');
function show(n){n=Math.max(0,Math.min(steps.length-1,n));steps.forEach((s,i)=>s.hidden=i!==n);slider.value=n;back.disabled=n===0;next.disabled=n===steps.length-1;history.replaceState(null,'','#'+steps[n].id)}
const now=()=>+slider.value;
bar.hidden=false;slider.max=steps.length-1;
back.onclick=()=>show(now()-1);next.onclick=()=>show(now()+1);slider.oninput=()=>show(now());
addEventListener('keydown',e=>{if(e.target===slider)return;const to={ArrowLeft:now()-1,ArrowRight:now()+1,Home:0,End:steps.length-1}[e.key];if(to!==undefined){show(to);e.preventDefault()}});
addEventListener('hashchange',()=>show(steps.findIndex(s=>'#'+s.id===location.hash)));
show(Math.max(0,steps.findIndex(s=>'#'+s.id===location.hash)));
";

/// One step: a heading, what kind of step it is, what it says, and its picture.
pub struct Slide {
    /// The heading.
    pub heading: String,
    /// What kind of step it is.
    pub note: String,
    /// What it says.
    pub words: String,
    /// The picture.
    pub picture: Picture,
}

/// An HTML page that loads nothing, for light and dark screens: buttons, a slider and the arrow keys lead from step to step.
pub fn slides(title: &str, slides: &[Slide]) -> String {
    let body = html! {
        h1 { (title) }
        nav hidden aria-label="steps" {
            button type="button" { "Back" }
            input type="range" min="0" value="0" aria-label="step";
            button type="button" { "Next" }
        }
        main aria-live="polite" {
            @for (number, slide) in slides.iter().enumerate() {
                section id=(format!("step-{number}")) {
                    h2 { (slide.heading) span { (slide.note) } }
                    p { (slide.words) }
                    (PreEscaped(slide.picture.inline(&slide.heading)))
                }
            }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    page(title, GENERATOR, None, RULES, &body)
}
