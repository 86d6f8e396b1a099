//! Drawings as a backend of `plotters`.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use super::{Anchor, Colour, Drawing, Item, circle, printable, text_width};

/// Height of capital letters in relation to the size of a text.
const CAPITALS: f32 = 0.73;

/// A drawing that `plotters` draws on.
pub struct Canvas<'a>(pub &'a mut Drawing);

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

fn colour(of: BackendColor) -> Colour {
    Colour { rgb: [of.rgb.0, of.rgb.1, of.rgb.2], alpha: of.alpha as f32 }
}

fn point((x, y): BackendCoord) -> [f32; 2] {
    [x as f32, y as f32]
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.0.size[0], self.0.size[1])
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, of: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &of, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        low: BackendCoord,
        high: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [low, (high.0, low.1), high, (low.0, high.1)];
        match fill {
            true => self.fill_polygon(corners, style),
            false => self.draw_path(corners.into_iter().chain([low]), style),
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let width = style.stroke_width() as f32;
        if style.color().alpha > 0.0 && width > 0.0 {
            self.0.line(path.into_iter().map(point).collect(), colour(style.color()), width);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = circle(point(center), radius as f32);
        match fill {
            true => self.0.polygon(corners, colour(style.color())),
            false => {
                self.0.outline(corners, colour(style.color()), style.stroke_width() as f32);
            }
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        if style.color().alpha > 0.0 {
            self.0.polygon(corners.into_iter().map(point).collect(), colour(style.color()));
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let size = style.size() as f32;
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let below = match style.anchor().v_pos {
            VPos::Top => CAPITALS * size,
            VPos::Center => 0.5 * CAPITALS * size,
            VPos::Bottom => 0.0,
        };
        let is_upright = !matches!(style.transform(), FontTransform::None);
        let [x, y] = point(at);
        let at = if is_upright { [x + below, y] } else { [x, y + below] };
        let (text, colour) = (printable(text), colour(style.color()));
        self.0.items.push(Item::Text { text, at, size, colour, anchor, is_upright });
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size() as f32;
        Ok((text_width(text, size).ceil() as u32, size.ceil() as u32))
    }
}
