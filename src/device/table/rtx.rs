//! NVIDIA's workstation, consumer and desktop GPUs.

use crate::Confidence::{Datasheet, Derived, Whitepaper};
use crate::Precision::{Bf16, Fp4, Fp8, Fp16, Fp32, Int8, Tf32};
use crate::device::row::Dense::{Known as K, Uncertain as U, Unpublished as UNSAID, Unsupported as NO};
use crate::device::row::Headline::{Fp16Accumulate, Sparse};
use crate::device::row::Row;

const ADA_WHITEPAPER: &str = "NVIDIA Ada whitepaper v2.1 <https://images.nvidia.com/aem-dam/Solutions/Data-Center/l4/nvidia-ada-gpu-architecture-whitepaper-v2.1.pdf>";
const PRO_WHITEPAPER: &str = "NVIDIA RTX Blackwell PRO whitepaper v1.1, Table 4";
const ZZC: &str = "measured: zzc0721/torch-performance-test-data";

const NVIDIA: Row = Row { vendor: "NVIDIA", ..Row::BLANK };

// One row reads as one, with the columns of `dense` in line: FP64, FP64 on matrix units, FP32, TF32, FP16, BF16, FP8,
// INT8, FP6, FP4.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "rtx-a6000", architecture: "Ampere GA102", form_factor: "PCIe workstation",
        drivers: &["NVIDIA RTX A6000"],
        aliases: &["a6000"],
        dense: [UNSAID, NO,     K(38.7),  K(77.4),    K(154.8),   K(154.8),   NO,          K(309.7),    NO,          NO],
        headlines: &[(Tf32, Sparse, 154.8), (Bf16, Sparse, 309.7), (Fp16, Sparse, 309.7), (Int8, Sparse, 619.4)],
        measured: &[(Bf16, 123.3)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.768), tdp_watts: Some(300.0),
        link: "NVLink bridge (pair)", link_gb_per_s: Some(56.25), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA RTX A6000 datasheet 1454980 r9", ZZC],
        note: "Full rate with FP32 accumulation, unlike the GeForce of the same die.",
        ..NVIDIA
    },
    Row {
        name: "rtx-3090", architecture: "Ampere GA102", form_factor: "PCIe consumer",
        drivers: &["NVIDIA GeForce RTX 3090", "GeForce RTX 3090"],
        aliases: &["3090", "rtx 3090"],
        dense: [UNSAID, NO,     K(35.6),  K(35.6),    K(71.2),    K(71.2),    NO,          K(284.7),    NO,          NO],
        headlines: &[(Tf32, Sparse, 71.0), (Bf16, Sparse, 142.0), (Fp16, Sparse, 142.0), (Int8, Sparse, 569.0), (Fp16, Fp16Accumulate, 142.3)],
        measured: &[(Bf16, 76.7)], boosts: true,
        memory_gb: Some(24.0), memory_tb_per_s: Some(0.936), tdp_watts: Some(350.0),
        link: "NVLink bridge (pair)", link_gb_per_s: Some(56.25), pcie_gb_per_s: Some(32.0),
        confidence: Whitepaper, sources: &["NVIDIA GA102 whitepaper v2 <https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf>", ZZC],
        note: "With FP32 accumulation, half the rate of FP16 accumulation. Boosts above the published clock. The 3090 Ti is another part.",
        ..NVIDIA
    },
    Row {
        name: "rtx-4090", architecture: "Ada AD102", form_factor: "PCIe consumer",
        drivers: &["NVIDIA GeForce RTX 4090"],
        aliases: &["4090", "rtx 4090"],
        dense: [UNSAID, NO,     K(82.6),  K(82.6),    K(165.2),   K(165.2),   K(330.3),    K(660.6),    NO,          NO],
        headlines: &[(Tf32, Sparse, 165.2), (Bf16, Sparse, 330.3), (Fp16, Sparse, 330.3), (Int8, Sparse, 1_321.2), (Fp16, Fp16Accumulate, 330.3), (Fp8, Fp16Accumulate, 660.6), (Fp8, Sparse, 1_321.2)],
        measured: &[(Bf16, 173.0)], boosts: true,
        memory_gb: Some(24.0), memory_tb_per_s: Some(1.008), tdp_watts: Some(450.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Whitepaper, sources: &[ADA_WHITEPAPER, ZZC],
        note: "With FP32 accumulation, half the rate of FP16 accumulation. Boosts above the published clock. The 4090 D and the laptop GPU are other parts.",
        ..NVIDIA
    },
    Row {
        name: "rtx-5090", architecture: "Blackwell GB202", form_factor: "PCIe consumer",
        drivers: &["NVIDIA GeForce RTX 5090"],
        aliases: &["5090", "rtx 5090"],
        dense: [UNSAID, NO,     K(104.8), K(104.8),   K(209.5),   K(209.5),   K(419.0),    K(838.0),    U(419.0),    K(1_676.0)],
        headlines: &[(Tf32, Sparse, 209.5), (Bf16, Sparse, 419.0), (Fp16, Sparse, 419.0), (Fp4, Sparse, 3_352.0), (Fp16, Fp16Accumulate, 419.0), (Fp8, Fp16Accumulate, 838.0)],
        measured: &[(Bf16, 242.0)], boosts: true,
        memory_gb: Some(32.0), memory_tb_per_s: Some(1.792), tdp_watts: Some(575.0),
        pcie_gb_per_s: Some(64.0),
        confidence: Whitepaper, sources: &["NVIDIA RTX Blackwell (GB202) whitepaper", ZZC],
        note: "With FP32 accumulation, half the rate of FP16 accumulation. Boosts above the published clock. The 5090 D is another part.",
        ..NVIDIA
    },
    Row {
        name: "rtx-6000-ada", architecture: "Ada AD102", form_factor: "PCIe workstation",
        drivers: &["NVIDIA RTX 6000 Ada Generation"],
        aliases: &["rtx 6000 ada", "6000 ada"],
        dense: [UNSAID, NO,     K(91.1),  K(182.1),   K(364.2),   K(364.2),   K(728.5),    K(728.5),    NO,          NO],
        headlines: &[(Tf32, Sparse, 364.2), (Bf16, Sparse, 728.5), (Fp16, Sparse, 728.5), (Fp8, Sparse, 1_457.0), (Int8, Sparse, 1_457.0)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.96), tdp_watts: Some(300.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA RTX 6000 Ada datasheet", ADA_WHITEPAPER],
        ..NVIDIA
    },
    Row {
        name: "rtx-pro-6000-ws", architecture: "Blackwell GB202", form_factor: "PCIe workstation",
        drivers: &["NVIDIA RTX PRO 6000 Blackwell Workstation Edition"],
        dense: [UNSAID, NO,     K(126.0), K(251.9),   K(503.8),   K(503.8),   K(1_007.6),  K(1_007.6),  K(1_007.6),  K(2_015.2)],
        headlines: &[(Fp4, Sparse, 4_000.0)],
        measured: &[(Bf16, 418.0)],
        memory_gb: Some(96.0), memory_tb_per_s: Some(1.792), tdp_watts: Some(600.0),
        pcie_gb_per_s: Some(64.0),
        confidence: Whitepaper, sources: &[PRO_WHITEPAPER, "NVIDIA/cudnn-frontend 0282420, benchmark_single_sdpa.py: 188 SMs × 2.62 GHz × 1,024", "NeMo Automodel PR#3598", ZZC],
        note: "Three editions of one name have three peaks.",
        ..NVIDIA
    },
    Row {
        name: "rtx-pro-6000-maxq", architecture: "Blackwell GB202", form_factor: "PCIe workstation 300 W",
        drivers: &["NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"],
        aliases: &["rtx pro 6000 max-q"],
        dense: [UNSAID, NO,     K(109.7), K(219.4),   K(438.9),   K(438.9),   K(877.8),    K(877.8),    K(877.8),    K(1_755.6)],
        headlines: &[(Fp4, Sparse, 3_511.0)],
        memory_gb: Some(96.0), memory_tb_per_s: Some(1.792), tdp_watts: Some(300.0),
        pcie_gb_per_s: Some(64.0),
        confidence: Whitepaper, sources: &[PRO_WHITEPAPER, "NeMo Automodel PR#3598"],
        note: "Three editions of one name have three peaks.",
        ..NVIDIA
    },
    Row {
        name: "rtx-pro-6000-server", architecture: "Blackwell GB202", form_factor: "PCIe passive server",
        drivers: &["NVIDIA RTX PRO 6000 Blackwell Server Edition"],
        aliases: &["rtx pro 6000 server"],
        dense: [UNSAID, NO,     K(120.0), U(239.9),   U(479.9),   U(479.9),   U(959.8),    U(959.8),    U(959.8),    U(1_919.6)],
        headlines: &[(Fp4, Sparse, 3_839.0)],
        measured: &[(Bf16, 409.0)],
        memory_gb: Some(96.0), memory_tb_per_s: Some(1.597), tdp_watts: Some(600.0),
        pcie_gb_per_s: Some(64.0),
        uncertain: &["memory bandwidth"],
        confidence: Derived, sources: &["derived from the 120 TFLOP/s at FP32 of the NVIDIA RTX PRO 6000 Server page", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/rtx_pro_6000_server.yaml", ZZC],
        note: "Of its tensor cores the vendor prints sparse FP4 alone; 467.8 at the clock that NVIDIA observed.",
        ..NVIDIA
    },
    Row {
        name: "gb10", architecture: "Blackwell GB10 (sm_121)", form_factor: "SoC",
        drivers: &["NVIDIA GB10"],
        aliases: &["dgx spark", "spark"],
        dense: [UNSAID, NO,     U(31.0),  UNSAID,     U(125.0),   U(125.0),   UNSAID,      UNSAID,      UNSAID,      K(500.0)],
        headlines: &[(Fp4, Sparse, 1_000.0)],
        memory_gb: Some(128.0), memory_tb_per_s: Some(0.273), tdp_watts: Some(140.0),
        link: "ConnectX-7", link_gb_per_s: Some(25.0),
        cited: &[(Fp32, "third parties"), (Fp4, "half of the sparse FP4 headline of the NVIDIA DGX Spark page")],
        confidence: Derived, sources: &["derived: an eighth of the sparse FP4 headline of the NVIDIA DGX Spark page <https://www.nvidia.com/en-us/products/workstations/dgx-spark/>", "NVIDIA technical blog, Table 8: 48 SMs, 2.14 GHz"],
        note: "Its vendor prints one tensor figure, FP4 and sparse. At the 2.14 GHz that NVIDIA names, BF16 would be 105.2; some 100 were measured.",
        ..NVIDIA
    },
];
