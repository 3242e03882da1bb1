//! Pictures one after the other, as pixels, in a GIF file.
//!
//! Every picture but the first holds only the rectangle that differs from the one before it, and there only the pixels that differ.

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::Graphic;
use super::png::Canvas;
use super::style::Theme;

/// Colours of a picture: a byte each, and one that leaves the pixel as it was.
const COLOURS: usize = 255;

/// The bytes of a file that repeats the pictures for ever, each shown for so many hundredths of a second; `scale` pixels for
/// one of the picture. All have the size of the first.
///
/// # Panics
/// When there is no picture, or it has more than 65,535 pixels a side.
pub(crate) fn gif_file<'a>(
    pictures: impl Iterator<Item = (&'a Graphic, u16)>,
    theme: Theme,
    scale: f64,
) -> Vec<u8> {
    let mut before: Option<(Canvas, Encoder<Vec<u8>>)> = None;
    for (picture, delay) in pictures {
        let head = Graphic::background(picture.size());
        let canvas = picture.canvas(&head, theme, scale);
        let (last, mut file) = match before {
            Some((last, file)) => (Some(last), file),
            None => (None, begin(&canvas)),
        };
        let frame = Frame { delay, ..change(&canvas, last.as_ref()) };
        file.write_frame(&frame).expect("a list of bytes takes all that is written");
        before = Some((canvas, file));
    }
    let (_, file) = before.expect("there is a picture");
    file.into_inner().expect("a list of bytes takes all that is written")
}

fn begin(canvas: &Canvas) -> Encoder<Vec<u8>> {
    let [width, height] = [canvas.width, canvas.height]
        .map(|pixels| u16::try_from(pixels).expect("a side of at most 65,535 pixels"));
    let mut file =
        Encoder::new(Vec::new(), width, height, &[]).expect("a list of bytes takes all that is written");
    file.set_repeat(Repeat::Infinite).expect("a list of bytes takes all that is written");
    file
}

/// What differs from the picture before.
fn change(now: &Canvas, before: Option<&Canvas>) -> Frame<'static> {
    let differs = |at: usize| before.is_none_or(|before| before.pixels[at] != now.pixels[at]);
    // The rectangle of what differs; where nothing does, the first pixel.
    let (mut left, mut right, mut top, mut bottom) = (now.width, 0, now.height, 0);
    for at in (0..now.pixels.len()).filter(|at| differs(*at)) {
        let (x, y) = (at % now.width, at / now.width);
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if right == 0 {
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let (width, height) = (right - left, bottom - top);
    let mut kept: Vec<Option<[u8; 3]>> = Vec::with_capacity(width * height);
    for y in top..bottom {
        for x in left..right {
            let at = y * now.width + x;
            kept.push(differs(at).then(|| now.pixels[at]));
        }
    }
    let colours = palette(kept.iter().flatten());
    let buffer: Vec<u8> =
        kept.iter().map(|pixel| pixel.map_or(0, |colour| colours.nearest(colour) + 1)).collect();
    Frame {
        left: left as u16,
        top: top as u16,
        width: width as u16,
        height: height as u16,
        transparent: Some(0),
        dispose: DisposalMethod::Keep,
        buffer: buffer.into(),
        palette: Some([vec![0; 3], colours.list.concat()].concat()),
        ..Frame::default()
    }
}

/// The colours of a picture, each without its last `cut` bits, ascending.
struct GifPalette {
    cut: u32,
    list: Vec<[u8; 3]>,
}

/// All colours where they are few enough; else coarser ones.
fn palette<'a>(pixels: impl Iterator<Item = &'a [u8; 3]>) -> GifPalette {
    let mut list: Vec<[u8; 3]> = pixels.copied().collect();
    let mut cut = 0;
    loop {
        for channel in list.iter_mut().flatten() {
            *channel = coarse(*channel, cut);
        }
        list.sort_unstable();
        list.dedup();
        if list.len() <= COLOURS {
            return GifPalette { cut, list };
        }
        cut += 1;
    }
}

impl GifPalette {
    fn nearest(&self, colour: [u8; 3]) -> u8 {
        let colour = colour.map(|channel| coarse(channel, self.cut));
        self.list.binary_search(&colour).expect("every colour of the picture is in its palette") as u8
    }
}

/// A channel without its last bits; white stays white.
fn coarse(channel: u8, cut: u32) -> u8 {
    let step = (1u32 << cut) - 1;
    if step == 0 { channel } else { ((u32::from(channel) >> cut) * 255 / (255 >> cut)) as u8 }
}

#[cfg(test)]
mod tests {
    use super::super::Anchor;
    use super::*;

    #[test]
    fn the_frames_show_the_pictures() {
        let mut first = Graphic::new(40.0, 20.0);
        first.rect("wrong", (2.0, 2.0), (10.0, 10.0));
        let mut second = first.clone();
        second.text("value", (30.0, 14.0), Anchor::Middle, "7");
        let pictures = [&first, &second, &second];
        let bytes = gif_file(pictures.into_iter().map(|picture| (picture, 50)), Theme::Light, 1.0);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(bytes.as_slice()).expect("a GIF");
        let mut shown = vec![[0u8; 3]; 40 * 20];
        for picture in pictures {
            let frame = reader.read_next_frame().expect("sound").expect("a frame").clone();
            for (at, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let (y, x) = (at / usize::from(frame.width), at % usize::from(frame.width));
                let place = (usize::from(frame.top) + y) * 40 + usize::from(frame.left) + x;
                shown[place] = [pixel[0], pixel[1], pixel[2]];
            }
            let wanted = picture.canvas(&Graphic::background(picture.size()), Theme::Light, 1.0);
            assert_eq!(shown, wanted.pixels);
        }
        assert!(reader.read_next_frame().expect("sound").is_none());
    }

    #[test]
    fn a_palette_has_few_colours_and_keeps_white() {
        let many: Vec<[u8; 3]> = (0..=255).flat_map(|x| (0..8).map(move |y| [x, y * 30, 255 - x])).collect();
        let palette = palette(many.iter().chain([&[255; 3]]));
        assert!(palette.list.len() <= COLOURS && palette.cut > 0);
        assert_eq!(palette.list[usize::from(palette.nearest([255; 3]))], [255; 3]);
    }
}
