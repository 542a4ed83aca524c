//! What the hardware could do.

mod fleet;
mod peak;

pub use fleet::Fleet;
pub use peak::Peak;
