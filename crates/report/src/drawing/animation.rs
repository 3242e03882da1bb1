//! A puzzle that changes step by step, as a file that plays: SVG, HTML or GIF.

use maud::{PreEscaped, html};

use super::super::graphic::{
    Anchor, Film, GENERATOR, Graphic, gif_file, page, shortened, text_width, wrapped,
};
use super::Picture;

/// The room of the title above the picture, and of the words below it.
const HEAD: f64 = 26.0;
const WORDS: f64 = 48.0;

/// The size of the words, and the height of a line.
const SIZE: f64 = 12.0;
const LINE: f64 = 16.0;

/// The least width, in pixels: words need it.
const LEAST: f64 = 300.0;

/// The rules of the page.
const RULES: &str = "\
body{margin:0 auto;max-width:46rem;padding:1rem;background:var(--page);color:var(--ink);font-family:Helvetica,Arial,'Liberation Sans',sans-serif}
h1{font-size:1.3rem;overflow-wrap:anywhere}svg.figure{display:block;width:100%;max-width:32rem;max-height:75vh}
nav{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.6rem 0}nav[hidden]{display:none}nav button,nav select{font:inherit;padding:.3rem .7rem;min-height:2.2rem}
nav input{flex:1 1 8rem;min-width:6rem}#play{min-width:5rem}
.heard{margin:.2rem 0;line-height:1.45;min-height:4.4em}.scripted .says{display:none}
ol{line-height:1.5}li[aria-current]{font-weight:bold}details{margin-top:.6rem}ol button{all:unset;cursor:pointer}ol button:focus-visible{outline:2px solid}
@media print{nav,details{display:none}}
";

/// Plays, stops, and shows any step; without scripts the picture plays by itself.
const SCRIPT: &str = "\
const bar=document.querySelector('nav'),slider=bar.querySelector('input'),speed=bar.querySelector('select'),heard=document.querySelector('.heard');
const [first,back,play,next,last]=bar.querySelectorAll('button'),steps=[...document.querySelectorAll('li')],jumps=steps.map(s=>s.querySelector('button'));
const moves=document.querySelector('svg').getAnimations({subtree:true}),step=+slider.dataset.step*1000;
let timer=0;moves.forEach(m=>m.pause());
const now=()=>+slider.value,end=steps.length-1;
function show(n){n=Math.max(0,Math.min(end,n));moves.forEach(m=>{m.currentTime=n*step+step/2+m.effect.getTiming().delay});
slider.value=n;slider.setAttribute('aria-valuetext',jumps[n].textContent);steps.forEach((s,i)=>i===n?s.setAttribute('aria-current','step'):s.removeAttribute('aria-current'));
first.disabled=back.disabled=n===0;next.disabled=last.disabled=n===end;heard.textContent=jumps[n].textContent}
function stop(){clearInterval(timer);timer=0;play.textContent='Play';heard.setAttribute('aria-live','polite')}
function start(){if(now()===end)show(0);play.textContent='Stop';heard.setAttribute('aria-live','off');timer=setInterval(()=>{if(now()<end)show(now()+1);else stop()},step/speed.value)}
const toggle=()=>timer?stop():start();const go=n=>{stop();show(n)};
first.onclick=()=>go(0);back.onclick=()=>go(now()-1);play.onclick=toggle;next.onclick=()=>go(now()+1);last.onclick=()=>go(end);
slider.oninput=()=>go(now());speed.onchange=()=>{if(timer){stop();start()}};jumps.forEach((j,i)=>j.onclick=()=>go(i));
addEventListener('keydown',e=>{if(e.target===slider||e.target===speed||e.ctrlKey||e.metaKey||e.altKey)return;
if(e.key===' '&&e.target.tagName!=='BUTTON'&&e.target.tagName!=='SUMMARY'){toggle();e.preventDefault()}
const to={ArrowLeft:now()-1,ArrowRight:now()+1,Home:0,End:end}[e.key];if(to!==undefined){go(to);e.preventDefault()}});
document.body.className='scripted';slider.max=end;bar.hidden=false;show(0);if(!matchMedia('(prefers-reduced-motion:reduce)').matches)start();
";

/// One step: its picture and what it says.
pub struct Scene {
    /// The picture.
    pub picture: Picture,
    /// What it says.
    pub words: String,
}

/// Steps one after the other.
pub struct Animation {
    title: String,
    words: Vec<String>,
    film: Film,
    theme: super::Theme,
}

impl Animation {
    /// Puts the title above every picture and its words below, `step_s` seconds a step. All pictures have the size of the first.
    pub fn new(title: &str, scenes: Vec<Scene>, step_s: f64) -> Self {
        let theme = scenes.first().map_or_else(Default::default, |scene| scene.picture.theme);
        let words: Vec<String> = scenes.iter().map(|scene| scene.words.clone()).collect();
        let count = scenes.len();
        let framed = |(index, scene): (usize, Scene)| framed(title, index + 1, count, scene);
        let pictures = scenes.into_iter().enumerate().map(framed).collect();
        Self { title: title.to_owned(), words, film: Film { pictures, step_s }, theme }
    }

    /// An SVG file that plays by itself.
    pub fn svg(&self) -> String {
        self.film.svg_file(&self.title)
    }

    /// A GIF file; `scale` pixels for one of the picture.
    pub fn gif(&self, scale: f64) -> Vec<u8> {
        let delay = |index: usize| (self.film.seconds(index) * 100.0).round() as u16;
        let pictures = self.film.pictures.iter().enumerate().map(|(index, picture)| (picture, delay(index)));
        gif_file(pictures, self.theme, scale)
    }

    /// An HTML page that loads nothing: it plays, stops, goes on by buttons and keys, and lists all steps.
    pub fn html(&self) -> String {
        let (picture, rules) = self.film.inline(&self.title);
        let body = html! {
            h1 { (self.title) }
            (PreEscaped(picture))
            p.heard aria-live="polite" {}
            nav hidden aria-label="steps" {
                button type="button" aria-label="first step" { "|←" }
                button type="button" aria-label="step back" { "←" }
                button type="button" id="play" { "Play" }
                button type="button" aria-label="next step" { "→" }
                button type="button" aria-label="last step" { "→|" }
                input type="range" min="0" value="0" aria-label="step" data-step=(self.film.step_s);
                select aria-label="speed" {
                    @for speed in ["0.25", "0.5", "1", "2", "4", "8"] {
                        option value=(speed) selected[speed == "1"] { (speed) "×" }
                    }
                }
            }
            details {
                summary { (self.words.len()) " steps" }
                ol { @for words in &self.words { li { button type="button" { (words) } } } }
            }
            script { (PreEscaped(SCRIPT)) }
        };
        page(&self.title, GENERATOR, None, &format!("{rules}{RULES}"), &body)
    }
}

/// A picture with the title above it and its words below.
fn framed(title: &str, number: usize, count: usize, scene: Scene) -> Graphic {
    let (width, height) = scene.picture.graphic.size();
    let wide = width.max(LEAST);
    let mut graphic = Graphic::new(wide, height + HEAD + WORDS);
    graphic.rect("page", (0.0, 0.0), graphic.size());
    let count = format!("{number}/{count}");
    let room = wide - 24.0 - text_width(&count, 11.0);
    graphic.sized_text("panel", (8.0, 18.0), Anchor::Start, 13.0, &shortened(title, 13.0, room));
    graphic.sized_text("note", (wide - 8.0, 18.0), Anchor::End, 11.0, &count);
    graphic.place(((wide - width) / 2.0, HEAD), scene.picture.graphic);
    for (index, line) in lines(&scene.words, wide - 16.0).iter().enumerate() {
        let at = (8.0, HEAD + height + LINE * (index as f64 + 0.75));
        graphic.sized_text("panel says", at, Anchor::Start, SIZE, line);
    }
    graphic
}

/// The words on as many lines as there is room for.
fn lines(words: &str, room: f64) -> Vec<String> {
    const MOST: usize = (WORDS / LINE) as usize;
    let mut lines = wrapped(words, SIZE, room);
    if lines.len() > MOST {
        let rest = lines.split_off(MOST - 1).join(" ");
        lines.push(shortened(&rest, SIZE, room));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_take_three_lines_at_most_and_none_is_too_wide() {
        assert_eq!(lines("a b", 300.0), ["a b"]);
        assert!(lines("", 300.0).is_empty());
        let long = "row 1 needs 3 ".repeat(20);
        let lines = lines(&long, 200.0);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| text_width(line, SIZE) <= 200.0), "{lines:?}");
        assert!(lines[2].contains('…'));
    }
}
