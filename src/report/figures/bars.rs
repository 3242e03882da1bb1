//! Pairs of bars: two shares of each of some things.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, shortened, text_width};
use super::percent;

const ROW: f64 = 30.0;

/// The room of the key above the bars, and of one line of it.
const HEAD: f64 = 26.0;
const LINE: f64 = 18.0;

/// A thing with its two shares.
pub(super) type BarPair = (String, f64, f64);

/// Draws rows from the top on; `keys` says what the upper and the lower bars are of. The axis has a title and ends at a
/// share.
pub(super) fn bars(rows: &[BarPair], keys: [&str; 2], (title, top): (&str, f64), width: f64) -> Graphic {
    let names = rows.iter().map(|row| text_width(&row.0, 12.0)).fold(60.0, f64::max).min(width * 0.4);
    let left = names + 18.0;
    let height = ROW * rows.len() as f64 + 4.0;
    let mut graphic = Graphic::new(width, 0.0);
    let head = key(&mut graphic, keys, left, width);
    graphic.set_height(head + height + 46.0);
    let size = (width - left - 60.0, height);
    let frame = Frame::exact((left, head), size, Scale::linear(0.0, top), Scale::linear(0.0, 1.0));
    frame.x_axis(&mut graphic, title);
    graphic.line("axis", (left, head), (left, head + height));
    for (index, (name, upper, lower)) in rows.iter().enumerate() {
        let y = head + 2.0 + ROW * index as f64;
        graphic.text("label", (left - 8.0, y + 19.0), Anchor::End, &shortened(name, 12.0, names));
        for ((share, class, dy), of) in [(upper, "c0", 2.0), (lower, "c1", 14.0)].into_iter().zip(keys) {
            let end = frame.x.at(*share);
            graphic.rect(class, (left, y + dy), ((end - left).max(1.0), 11.0));
            graphic.says(&format!("{name}: {} {of}", percent(*share)));
            graphic.text("tick", (end + 5.0, y + dy + 9.5), Anchor::Start, &percent(*share));
        }
    }
    graphic
}

/// Says which bar is which, and gives the room that this takes.
fn key(graphic: &mut Graphic, keys: [&str; 2], left: f64, width: f64) -> f64 {
    let room = |words: &str| 24.0 + text_width(words, 12.0) + 20.0;
    let in_one_line = left + keys.map(room).iter().sum::<f64>() <= width;
    let (mut x, mut y) = if in_one_line { (left, 4.0) } else { (8.0, 4.0) };
    for (class, words) in ["c0", "c1"].into_iter().zip(keys) {
        graphic.rect(class, (x, y), (18.0, 11.0));
        graphic.text("legend", (x + 24.0, y + 10.0), Anchor::Start, words);
        if in_one_line { x += room(words) } else { y += LINE }
    }
    if in_one_line { HEAD } else { y + 6.0 }
}
