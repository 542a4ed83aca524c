//! Google's TPUs.

use crate::Confidence::{ThirdParty, VendorDocs};
use crate::Precision::Fp4;
use crate::device::row::Dense::{Known as K, Uncertain as U, Unpublished as UNSAID, Unsupported as NO};
use crate::device::row::Row;

const JAX: &str = "jax cec06d1, jax/_src/tpu_info.py";

const GOOGLE: Row = Row { vendor: "Google", ..Row::BLANK };

// One row reads as one, with the columns of `dense` in line: FP64, FP64 on matrix units, FP32, TF32, FP16, BF16, FP8,
// INT8, FP6, FP4.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "tpu-v2", architecture: "TPU v2", form_factor: "board",
        unit: "chip", devices_per_unit: 2, part: "core",
        drivers: &["TPU v2"],
        aliases: &["v2"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         U(46.0),    NO,          NO,          NO,          NO],
        memory_gb: Some(16.0), memory_tb_per_s: Some(0.7), tdp_watts: Some(280.0),
        link: "ICI",
        uncertain: &["TDP"],
        confidence: ThirdParty, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v2>", JAX],
        note: "A device is a core. Pages have 45 or 46 for a chip.",
        ..GOOGLE
    },
    Row {
        name: "tpu-v3", architecture: "TPU v3", form_factor: "board",
        unit: "chip", devices_per_unit: 2, part: "core",
        drivers: &["TPU v3"],
        aliases: &["v3"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         U(123.0),   NO,          NO,          NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(0.9), tdp_watts: Some(450.0),
        link: "ICI",
        uncertain: &["TDP"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v3>", JAX],
        note: "A device is a core. JAX has 140 for a chip, where Google Cloud has 123.",
        ..GOOGLE
    },
    Row {
        name: "tpu-v4", architecture: "TPU v4", form_factor: "board",
        unit: "chip", part: "chip",
        drivers: &["TPU v4"],
        aliases: &["v4"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         K(275.0),   NO,          K(275.0),    NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(1.2), tdp_watts: Some(192.0),
        link: "ICI", link_gb_per_s: Some(135.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v4>", JAX],
        note: "TPU v4 lite is another chip.",
        ..GOOGLE
    },
    Row {
        name: "tpu-v5e", architecture: "TPU v5e", form_factor: "board",
        unit: "chip", part: "chip",
        drivers: &["TPU v5 lite", "TPU v5e"],
        aliases: &["v5e", "v5litepod"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         K(197.0),   NO,          K(394.0),    NO,          NO],
        memory_gb: Some(16.0), memory_tb_per_s: Some(0.819),
        link: "ICI", link_gb_per_s: Some(200.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v5e>", JAX],
        ..GOOGLE
    },
    Row {
        name: "tpu-v5p", architecture: "TPU v5p", form_factor: "board",
        unit: "chip", part: "chip",
        drivers: &["TPU v5", "TPU v5p"],
        aliases: &["v5p"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         K(459.0),   UNSAID,      K(918.0),    NO,          NO],
        memory_gb: Some(95.0), memory_tb_per_s: Some(2.765),
        link: "ICI", link_gb_per_s: Some(600.0),
        uncertain: &["memory bandwidth", "link"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v5p>", JAX],
        note: "The bare TPU v5 is a v5p. Memory bandwidth is 2.46 TB/s in JAX.",
        ..GOOGLE
    },
    Row {
        name: "tpu-v6e", architecture: "TPU v6e (Trillium)", form_factor: "board",
        unit: "chip", part: "chip",
        drivers: &["TPU v6 lite", "TPU v6e"],
        aliases: &["v6e", "trillium"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         K(918.0),   U(918.0),    K(1_836.0),  NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(1.64),
        link: "ICI", link_gb_per_s: Some(400.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/v6e>", JAX],
        note: "FP8 at the rate of BF16.",
        ..GOOGLE
    },
    Row {
        name: "tpu-v7x", architecture: "TPU7x (Ironwood)", form_factor: "board",
        unit: "chip", devices_per_unit: 2, part: "core",
        drivers: &["TPU7x", "TPU7"],
        aliases: &["v7x", "ironwood", "tpu v7"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         K(2_307.0), K(4_614.0),  UNSAID,      NO,          NO],
        memory_gb: Some(192.0), memory_tb_per_s: Some(7.38),
        link: "ICI", link_gb_per_s: Some(600.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["Google Cloud TPU docs <https://docs.cloud.google.com/tpu/docs/tpu7x>", JAX],
        note: "A device is a core, of which a chip has two.",
        ..GOOGLE
    },
    Row {
        name: "tpu-8t", architecture: "TPU8t (training)", form_factor: "board",
        unit: "chip", part: "chip",
        drivers: &["TPU8t"],
        aliases: &["v8t"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         U(996.1),   U(5_976.9),  U(996.1),    NO,          U(12_600.0)],
        memory_gb: Some(216.0), memory_tb_per_s: Some(6.5),
        link: "ICI",
        uncertain: &["memory bandwidth"],
        cited: &[(Fp4, "Google, announcement of the eighth TPU generation")],
        confidence: VendorDocs, sources: &[JAX, "Google, announcement of the eighth TPU generation"],
        note: "Announced. FP4 is 11,954 in JAX.",
        ..GOOGLE
    },
    Row {
        name: "tpu-8i", architecture: "TPU8i (inference)", form_factor: "board",
        unit: "chip", devices_per_unit: 2, part: "core",
        drivers: &["TPU8i"],
        aliases: &["v8i"],
        dense: [NO,     NO,     UNSAID,   NO,         NO,         U(1_101.0), U(8_808.0),  UNSAID,      NO,          U(10_100.0)],
        memory_gb: Some(288.0), memory_tb_per_s: Some(8.6),
        link: "ICI",
        uncertain: &["memory bandwidth"],
        cited: &[(Fp4, "Google, announcement of the eighth TPU generation")],
        confidence: VendorDocs, sources: &[JAX, "Google, announcement of the eighth TPU generation"],
        note: "Announced. A device is a core, of which a chip has two.",
        ..GOOGLE
    },
];
