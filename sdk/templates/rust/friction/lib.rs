use simhost_sdk::prelude::*;

/// Friction that rises with slip up to mu: mu(s) = mu tanh(s / slip_half).
#[derive(Params)]
pub struct TemplateName {
    /// Friction coefficient. A larger value gives the tyre more grip.
    #[param(default = 0.8, range = 0.0..=3.0, per_lane)]
    mu: f64,
    /// Slip at three quarters of the grip. A larger value makes the tyre respond more softly.
    #[param(default = 0.05, above = 0.0, range = ..=1.0, per_lane)]
    slip_half: f64,
}

#[model]
impl Friction for TemplateName {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let grip = math::tanh(wheel.slip() / self.slip_half);
        wheel.oppose_sliding(wheel.mu(self.mu) * grip, step)
    }
}

export_plugin! { vendor: "template_vendor", friction: { "template_name" => TemplateName } }
