//! The table of devices as data, by vendor. A new device is a row in one of these files, with its names, figures and
//! clock once more in `device-names.csv`, `device-figures.csv` and `clocks.csv` of `tests/data`.
//!
//! Driver strings are those of NVIDIA/open-gpu-kernel-modules df1c9a3 (driver 595.45.04, `g_nv_name_released.h`), of
//! libdrm's `amdgpu.ids` (06675b4), of jax cec06d1 (`jax/_src/tpu_info.py`) and of the vendors' documentation.

mod amd;
pub(super) mod apart;
mod google;
mod nvidia;
mod others;
mod rtx;

use super::row::Row;

pub(super) fn rows() -> impl Iterator<Item = &'static Row> + Clone {
    [nvidia::ROWS, rtx::ROWS, amd::ROWS, google::ROWS, others::ROWS].into_iter().flatten()
}
