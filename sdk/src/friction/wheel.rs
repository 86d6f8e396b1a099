//! The inputs and outputs of a friction model for one wheel.

use crate::{Columns, Ports, Step};

/// Declares [`Wheel`] and [`Force`] from the table of ports in `simhost-abi`.
macro_rules! structs {
    (
        inputs { $( $input:ident, $in_unit:tt, $default:expr, $in_doc:tt; )* }
        outputs { $( $output:ident, $out_unit:tt, $_default:expr, $out_doc:tt; )* }
    ) => {
        /// The inputs of a friction model for one wheel.
        ///
        /// Quantities are in the wheel frame: x along the rolling direction, y to the left. `X` is
        /// [`Friction::Inputs`](crate::Friction::Inputs).
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Wheel<X = ()> {
            $(
                #[doc = concat!($in_doc, " Unit: ", $in_unit, ".")]
                pub $input: f64,
            )*
            /// Further quantities that the model reads: its [`Friction::Inputs`](crate::Friction::Inputs).
            pub more: X,
        }

        impl Wheel {
            /// Returns the wheel with further quantities, for tests of a model.
            pub fn with<X>(self, more: X) -> Wheel<X> {
                let Self { $($input,)* more: () } = self;
                Wheel { $($input,)* more }
            }
        }

        /// The inputs that every friction model reads.
        #[derive(Ports)]
        pub(super) struct Basic {
            $(
                #[doc = $in_doc]
                #[port(unit = $in_unit, default = $default)]
                $input: f64,
            )*
        }

        impl<X: Columns> Columns for Wheel<X> {
            const COUNT: usize = Basic::COUNT + X::COUNT;
            #[inline(always)]
            fn load(get: impl Fn(usize) -> f64) -> Self {
                let Basic { $($input),* } = Basic::load(&get);
                Self { $($input,)* more: X::load(|k| get(Basic::COUNT + k)) }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                Basic { $($input: self.$input),* }.store(&mut put);
                self.more.store(|k, value| put(Basic::COUNT + k, value));
            }
        }

        /// The outputs of a friction model for one wheel.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
        pub struct Force {
            $(
                #[doc = $out_doc]
                #[port(unit = $out_unit)]
                pub $output: f64,
            )*
        }
    };
}

simhost_abi::friction_ports!(structs);

impl<X> Wheel<X> {
    /// Returns the friction coefficient of the ground here, or `own` where the ground has none.
    #[inline(always)]
    pub fn mu(&self, own: f64) -> f64 {
        if self.mu_override >= 0.0 { self.mu_override } else { own }
    }

    /// Returns the rolling resistance coefficient of the ground here, or `own` where the ground has
    /// none.
    #[inline(always)]
    pub fn c_rr(&self, own: f64) -> f64 {
        if self.c_rr_override >= 0.0 { self.c_rr_override } else { own }
    }

    /// Returns the mass that this wheel moves as if it were alone, kg: the mass that rests on it,
    /// including its own, divided by 1 + `coupling`. Forces that stop this mass do not overshoot,
    /// although all wheels act at once.
    #[inline(always)]
    pub fn mass(&self) -> f64 {
        self.normal_force / self.gravity.max(1e-12) / (1.0 + self.coupling)
    }

    /// Returns the velocity of the contact patch over the ground, m/s. It is zero when the wheel
    /// rolls without slip.
    #[inline(always)]
    pub fn sliding(&self) -> [f64; 2] {
        [self.vx - self.spin * self.radius, self.vy]
    }

    /// Returns the combined slip, from 0 to 1: the sliding speed divided by the larger of rolling
    /// speed and travelling speed, which is taken as at least 0.1 m/s.
    #[inline(always)]
    pub fn slip(&self) -> f64 {
        let [x, y] = self.sliding();
        let fastest = self.vx.abs().max((self.spin * self.radius).abs()).max(0.1);
        ((x * x + y * y).sqrt() / fastest).min(1.0)
    }

    /// Returns the Coulomb force μN against the sliding direction, limited to the force that stops
    /// the sliding within the step. Along the rolling direction that force slows the rim down;
    /// across it, the mass that rests on the wheel.
    #[inline(always)]
    pub fn oppose_sliding(&self, mu: f64, step: &Step) -> Force {
        let [x, y] = self.sliding();
        let grip = mu * self.normal_force / (x * x + y * y).sqrt().max(1e-9);
        let rim = self.inertia / (self.radius * self.radius);
        let fx = -grip.min(rim / step.dt) * x;
        let fy = -grip.min(self.mass() / step.dt) * y;
        self.reaction(fx, fy, 0.0)
    }

    /// Returns the action of a ground force (`fx`, `fy`), N, with the torque that it exerts on the
    /// axle. `resistance` is the torque of bearing and tyre, N·m, positive against forward rolling.
    #[inline(always)]
    pub fn reaction(&self, fx: f64, fy: f64, resistance: f64) -> Force {
        Force { fx, fy, spin_torque: -self.radius * fx - resistance }
    }
}
