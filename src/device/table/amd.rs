//! AMD's accelerators.

use crate::Confidence::Datasheet;
use crate::Precision::{Bf16, Fp8, Fp16, Int8, Tf32};
use crate::device::row::Dense::{Known as K, Uncertain as U, Unpublished as UNSAID, Unsupported as NO};
use crate::device::row::Headline::Sparse;
use crate::device::row::Row;

const MAMF: &str = "measured: stas00/ml-engineering 744d01e, matmul tables";
const MI250_PAGE: &str = "AMD MI250 page <https://www.amd.com/en/products/accelerators/instinct/mi200/mi250.html>";
const MI250X_PAGE: &str = "AMD MI250X page <https://www.amd.com/en/products/accelerators/instinct/mi200/mi250x.html>";
const ROCM_MI250: &str = "ROCm/ROCm e396b48, docs/conceptual/gpu-arch/mi250.md";
const ROCM_MI300: &str = "ROCm/ROCm e396b48, docs/conceptual/gpu-arch/mi300.md";

const AMD: Row = Row { vendor: "AMD", ..Row::BLANK };

// One row reads as one, with the columns of `dense` in line: FP64, FP64 on matrix units, FP32, TF32, FP16, BF16, FP8,
// INT8, FP6, FP4.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "mi210", architecture: "CDNA2", form_factor: "PCIe",
        drivers: &["AMD Instinct MI210"],
        dense: [K(22.6), K(45.3), K(22.6),  NO,         K(181.0),   K(181.0),   NO,          K(181.0),    NO,          NO],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.638), tdp_watts: Some(300.0),
        link: "Infinity Fabric bridge", link_gb_per_s: Some(150.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["link"],
        confidence: Datasheet, sources: &["AMD Instinct MI210 page <https://www.amd.com/en/products/accelerators/instinct/mi200/mi210.html>"],
        note: "FP32 on the matrix units is 45.3.",
        ..AMD
    },
    Row {
        name: "mi250", architecture: "CDNA2", form_factor: "OAM package",
        unit: "package", devices_per_unit: 2, part: "GCD",
        dense: [K(45.3), K(90.5), K(45.3),  NO,         K(362.1),   K(362.1),   NO,          K(362.1),    NO,          NO],
        memory_gb: Some(128.0), memory_tb_per_s: Some(3.277), tdp_watts: Some(500.0),
        link: "Infinity Fabric", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["link"],
        confidence: Datasheet, sources: &[MI250_PAGE, ROCM_MI250],
        note: "A package has 362.1, and frameworks show its two GCDs as devices. FP32 on the matrix units is 90.5 per package.",
        ..AMD
    },
    Row {
        name: "mi250-gcd", architecture: "CDNA2", form_factor: "OAM, one GCD",
        unit: "GCD", part: "GCD",
        aliases: &["mi250 gcd"],
        dense: [K(22.6), K(45.3), K(22.6),  NO,         K(181.05),  K(181.05),  NO,          K(181.05),   NO,          NO],
        groups: &[(2, "package")],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.638),
        link: "Infinity Fabric", link_gb_per_s: Some(150.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["link"],
        confidence: Datasheet, sources: &[MI250_PAGE, ROCM_MI250],
        note: "One half of a package, as frameworks show it.",
        ..AMD
    },
    Row {
        name: "mi250x", architecture: "CDNA2", form_factor: "OAM package",
        unit: "package", devices_per_unit: 2, part: "GCD",
        dense: [K(47.9), K(95.7), K(47.9),  NO,         K(383.0),   K(383.0),   NO,          K(383.0),    NO,          NO],
        memory_gb: Some(128.0), memory_tb_per_s: Some(3.277), tdp_watts: Some(560.0),
        link: "Infinity Fabric", link_gb_per_s: Some(350.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["link", "TDP"],
        confidence: Datasheet, sources: &[MI250X_PAGE, ROCM_MI250],
        note: "A package has 383.0, and frameworks show its two GCDs as devices. FP32 on the matrix units is 95.7 per package.",
        ..AMD
    },
    Row {
        name: "mi250x-gcd", architecture: "CDNA2", form_factor: "OAM, one GCD",
        unit: "GCD", part: "GCD",
        drivers: &["AMD Instinct MI250X"],
        aliases: &["mi250x gcd"],
        dense: [K(23.9), K(47.9), K(23.9),  NO,         K(191.5),   K(191.5),   NO,          K(191.5),    NO,          NO],
        groups: &[(2, "package")],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.638),
        link: "Infinity Fabric", link_gb_per_s: Some(175.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["link"],
        confidence: Datasheet, sources: &[MI250X_PAGE, ROCM_MI250],
        note: "One half of a package, as frameworks show it.",
        ..AMD
    },
    Row {
        name: "mi300a", architecture: "CDNA3", form_factor: "APU socket SH5",
        drivers: &["AMD Instinct MI300A"],
        dense: [K(61.3), K(122.6), K(122.6), K(490.3),   K(980.6),   K(980.6),   K(1_961.2),  K(1_961.2),  NO,          NO],
        headlines: &[(Tf32, Sparse, 980.6), (Bf16, Sparse, 1_961.2), (Fp16, Sparse, 1_961.2), (Fp8, Sparse, 3_922.3), (Int8, Sparse, 3_922.3)],
        memory_gb: Some(128.0), memory_tb_per_s: Some(5.3), tdp_watts: Some(550.0),
        link: "Infinity Fabric", link_gb_per_s: Some(384.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["link"],
        confidence: Datasheet, sources: &["AMD MI300A page <https://www.amd.com/en/products/accelerators/instinct/mi300/mi300a.html>", ROCM_MI300],
        ..AMD
    },
    Row {
        name: "mi300x", architecture: "CDNA3", form_factor: "OAM",
        drivers: &["AMD Instinct MI300X", "AMD Instinct MI300X HF", "AMD Instinct MI300X VF", "AMD Instinct MI300X OAM"],
        dense: [K(81.7), K(163.4), K(163.4), K(653.7),   K(1_307.4), K(1_307.4), K(2_614.9),  K(2_614.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 1_307.4), (Bf16, Sparse, 2_614.9), (Fp16, Sparse, 2_614.9), (Fp8, Sparse, 5_229.8), (Int8, Sparse, 5_229.8)],
        memory_gb: Some(192.0), memory_tb_per_s: Some(5.3), tdp_watts: Some(750.0),
        link: "Infinity Fabric", link_gb_per_s: Some(448.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &["AMD MI300X page <https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html>", ROCM_MI300],
        note: "Partitioned (CPX), a package shows as 8 devices, and this row is not theirs.",
        ..AMD
    },
    Row {
        name: "mi325x", architecture: "CDNA3", form_factor: "OAM",
        drivers: &["AMD Instinct MI325X", "AMD Instinct MI325X VF"],
        dense: [K(81.7), K(163.4), K(163.4), K(653.7),   K(1_307.4), K(1_307.4), K(2_614.9),  K(2_614.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 1_307.4), (Bf16, Sparse, 2_614.9), (Fp16, Sparse, 2_614.9), (Fp8, Sparse, 5_229.8), (Int8, Sparse, 5_229.8)],
        memory_gb: Some(256.0), memory_tb_per_s: Some(6.0), tdp_watts: Some(1_000.0),
        link: "Infinity Fabric", link_gb_per_s: Some(448.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &["AMD MI325X page <https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html>", ROCM_MI300],
        note: "An MI300X with more memory.",
        ..AMD
    },
    Row {
        name: "mi350x", architecture: "CDNA4", form_factor: "OAM",
        drivers: &["AMD Instinct MI350X", "AMD Instinct MI350X VF"],
        dense: [K(72.1), K(72.1), K(144.2), NO,         K(2_306.9), K(2_306.9), K(4_613.7),  K(4_613.7),  K(9_227.5),  K(9_227.5)],
        headlines: &[(Bf16, Sparse, 4_613.7), (Fp16, Sparse, 4_613.7), (Fp8, Sparse, 9_227.5), (Int8, Sparse, 9_227.5)],
        memory_gb: Some(288.0), memory_tb_per_s: Some(8.0), tdp_watts: Some(1_000.0),
        link: "Infinity Fabric", link_gb_per_s: Some(537.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &["AMD MI350X page <https://www.amd.com/en/products/accelerators/instinct/mi350/mi350x.html>"],
        note: "No TF32 units. FP6 at the rate of FP4.",
        ..AMD
    },
    Row {
        name: "mi355x", architecture: "CDNA4", form_factor: "OAM",
        drivers: &["AMD Instinct MI355X", "AMD Instinct MI355X VF"],
        dense: [K(78.6), K(78.6), K(157.3), NO,         K(2_516.6), K(2_516.6), K(5_033.2),  K(5_033.2),  K(10_066.3), K(10_066.3)],
        headlines: &[(Bf16, Sparse, 5_033.2), (Fp16, Sparse, 5_033.2), (Fp8, Sparse, 10_066.3), (Int8, Sparse, 10_066.3)],
        measured: &[(Bf16, 1_565.0)],
        memory_gb: Some(288.0), memory_tb_per_s: Some(8.0), tdp_watts: Some(1_400.0),
        link: "Infinity Fabric", link_gb_per_s: Some(537.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &["AMD MI355X page <https://www.amd.com/en/products/accelerators/instinct/mi350/mi355x.html>", "AMD ROCm blog, MI455X vs MI355X, 2026-10-08", MAMF],
        note: "10.1 PFLOP/s is sparse FP8 and dense FP4 alike.",
        ..AMD
    },
    Row {
        name: "mi455x", architecture: "CDNA5 (gfx1250)", form_factor: "OAM / Helios",
        drivers: &["AMD Instinct MI455X"],
        dense: [UNSAID, UNSAID, U(315.0), UNSAID,     K(5_033.0), K(5_033.0), U(20_100.0), K(5_033.0),  U(20_100.0), U(40_300.0)],
        headlines: &[(Bf16, Sparse, 10_100.0), (Fp16, Sparse, 10_100.0), (Int8, Sparse, 10_100.0)],
        memory_gb: Some(432.0), memory_tb_per_s: Some(23.3),
        link: "UALink/IF scale-up", link_gb_per_s: Some(1_800.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["memory bandwidth", "link", "PCIe"],
        confidence: Datasheet, sources: &["AMD MI455X page <https://www.amd.com/en/products/accelerators/instinct/mi400/mi455x.html>", "AMD ROCm blog, MI455X vs MI355X, 2026-10-08"],
        note: "FP8, FP6 and FP4 are printed without saying whether sparse; a measured product above 20 PFLOP/s at FP4 favours dense.",
        ..AMD
    },
];
