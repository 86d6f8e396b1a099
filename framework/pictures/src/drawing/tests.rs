//! Tests of drawings.

use super::*;

const BLACK: Colour = Colour::hex(0);

fn shade(image: &Image, x: u32, y: u32) -> u8 {
    image.pixels[3 * (y * image.width + x) as usize]
}

#[test]
fn polygons_cover_their_pixels() {
    let mut drawing = Drawing::new(20, 10);
    drawing.polygon(vec![[2.0, 2.0], [6.5, 2.0], [6.5, 5.0], [2.0, 5.0]], BLACK);
    let image = drawing.image(1.0);
    assert_eq!((shade(&image, 3, 3), shade(&image, 1, 3), shade(&image, 7, 3)), (0, 255, 255));
    let half = shade(&image, 6, 3);
    assert!((120..136).contains(&half), "{half}");
}

#[test]
fn a_line_is_equally_dark_where_it_crosses_itself() {
    let mut drawing = Drawing::new(30, 30);
    let points = vec![[5.0, 15.0], [25.0, 15.0], [25.0, 5.0], [15.0, 5.0], [15.0, 25.0]];
    drawing.line(points, BLACK.with_alpha(0.5), 4.0);
    let image = drawing.image(1.0);
    let (crossing, beside) = (shade(&image, 15, 15), shade(&image, 8, 15));
    assert!(crossing.abs_diff(beside) <= 1, "{crossing} {beside}");
    assert!((126..130).contains(&beside), "{beside}");
}

#[test]
fn items_outside_of_the_image_are_cut() {
    let mut drawing = Drawing::new(10, 10);
    drawing.line(vec![[-1e7, 5.0], [1e7, 5.0]], BLACK, 2.0);
    drawing.polygon(vec![[-5.0, -5.0], [-1.0, -5.0], [-1.0, -1.0]], BLACK);
    drawing.line(vec![[f32::NAN, 5.0], [3.0, 3.0]], BLACK, 2.0);
    drawing.text("outside", [-400.0, 300.0], 12.0, BLACK, Anchor::Start);
    let image = drawing.image(1.0);
    assert_eq!((shade(&image, 5, 5), shade(&image, 5, 2)), (0, 255));
}

#[test]
fn dashes_leave_gaps() {
    let mut drawing = Drawing::new(40, 10);
    drawing.dashed(vec![[0.0, 5.0], [40.0, 5.0]], BLACK, 2.0, &[3.0, 2.0]);
    let image = drawing.image(1.0);
    let row: Vec<u8> = (0..40).map(|x| shade(&image, x, 5)).collect();
    assert_eq!((row[2], row[8], row[12]), (0, 255, 0), "{row:?}");
    assert!(drawing.svg().contains("stroke-dasharray=\"6 4\""));
}

#[test]
fn texts_have_the_width_that_is_measured() {
    for is_upright in [false, true] {
        let mut drawing = Drawing::new(200, 200);
        let (text, at, anchor) = ("velocity (m/s²) µ".to_owned(), [100.0, 100.0], Anchor::Middle);
        let item = Item::Text { text, at, size: 14.0, colour: BLACK, anchor, is_upright };
        drawing.items.push(item);
        let image = drawing.image(1.0);
        let dark = |x: u32, y: u32| shade(&image, x, y) < 128;
        let covered: Vec<u32> = (0..200)
            .filter(|k| (0..200).any(|l| if is_upright { dark(l, *k) } else { dark(*k, l) }))
            .collect();
        let width = (covered[covered.len() - 1] - covered[0] + 1) as f32;
        let expected = text_width("velocity (m/s²) µ", 14.0);
        assert!((width - expected).abs() < 4.0, "{width} {expected}");
        let middle = 0.5 * (covered[0] + covered[covered.len() - 1]) as f32;
        assert!((middle - 100.0).abs() < 3.0, "{middle}");
    }
}

#[test]
fn a_png_holds_the_pixels() {
    let mut drawing = Drawing::new(8, 4);
    drawing.polygon(vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], Colour::hex(0x0072b2));
    let bytes = drawing.image(2.0).png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (16, 8));
    assert_eq!((&pixels[..3], &pixels[45..48]), (&[0x00, 0x72, 0xb2][..], &[255; 3][..]));
}
