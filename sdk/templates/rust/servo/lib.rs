use simhost_sdk::prelude::*;

/// Servo of second order, whose motion the host integrates: d²y/dt² = ω² (u − y) − 2 ζ ω dy/dt.
#[derive(Params)]
pub struct TemplateName {
    /// Natural frequency ω. A larger value makes the servo faster.
    #[param(default = 15.0, above = 0.0, unit = "rad/s")]
    frequency: f64,
    /// Damping ratio ζ. A larger value makes the servo overshoot less.
    #[param(default = 0.7, range = 0.0..)]
    damping: f64,
}

/// Motion of the servo.
#[derive(State)]
pub struct Servo {
    /// Position, in the unit of the port.
    #[state(unit = "1")]
    pub position: f64,
    /// Velocity, in the unit of the port per second.
    #[state(unit = "1/s")]
    pub velocity: f64,
}

#[model]
impl Actuator for TemplateName {
    // the host integrates the rates by the classical Runge-Kutta method
    const CONTINUOUS: bool = true;

    fn rates(&self, command: f64, _: &(), servo: &Servo) -> Servo {
        let Self { frequency, damping } = self;
        let pull = frequency * frequency * (command - servo.position);
        let brake = 2.0 * damping * frequency * servo.velocity;
        Servo { position: servo.velocity, velocity: pull - brake }
    }

    fn actuate(&self, _: f64, _: &(), _: &Step, servo: &mut Servo) -> f64 {
        servo.position
    }
}

export_plugin! { vendor: "template_vendor", actuator: { "template_name" => TemplateName } }
