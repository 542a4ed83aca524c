//! NVIDIA's data-centre GPUs.

use crate::Confidence::{Datasheet, Derived, ThirdParty, Whitepaper};
use crate::Precision::{Bf16, Fp4, Fp8, Fp16, Fp32, Int8, Tf32};
use crate::device::row::Dense::{Known as K, Uncertain as U, Unpublished as UNSAID, Unsupported as NO};
use crate::device::row::Headline::{Compressed, Sparse};
use crate::device::row::{Row, Unlike};

const V100_DATASHEET: &str = "NVIDIA V100 datasheet r5 <https://images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf>";
const A100_DATASHEET: &str = "NVIDIA A100 datasheet r4 <https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf>";
const A100_WHITEPAPER: &str = "NVIDIA A100 whitepaper <https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/nvidia-ampere-architecture-whitepaper.pdf>";
const ADA_WHITEPAPER: &str = "NVIDIA Ada whitepaper v2.1 <https://images.nvidia.com/aem-dam/Solutions/Data-Center/l4/nvidia-ada-gpu-architecture-whitepaper-v2.1.pdf>";
const H100_DATASHEET: &str =
    "NVIDIA H100 datasheet 24306 <https://resources.nvidia.com/en-us-gpu-resources/h100-datasheet-24306>";
const GH100_WHITEPAPER: &str =
    "NVIDIA GH100 whitepaper, Table 1 <https://www.techpowerup.com/gpu-specs/docs/nvidia-gh100-architecture.pdf>";
const H200_DATASHEET: &str =
    "NVIDIA H200 datasheet 3002446 <https://nvdam.widen.net/s/nb5zzzsjdf/hpc-datasheet-sc23-h200-datasheet-3002446>";
const GH200_PAGE: &str = "NVIDIA GH200 product page <https://www.nvidia.com/en-us/data-center/grace-hopper-superchip/>";
const BLACKWELL_DATASHEET: &str =
    "NVIDIA Blackwell datasheet 3384703 <https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703>";
const HGX_PAGE: &str = "NVIDIA HGX page <https://www.nvidia.com/en-us/data-center/hgx/>";
const AMPERE_RATE: &str =
    "NVIDIA/cudnn-frontend 0282420, benchmark_single_sdpa.py: 2,048 FLOP per clock and SM on sm80";
const HOPPER_RATE: &str =
    "NVIDIA/cudnn-frontend 0282420, benchmark_single_sdpa.py: 4,096 FLOP per clock and SM on sm90";
const BLACKWELL_RATE: &str =
    "NVIDIA/cudnn-frontend 0282420, benchmark_single_sdpa.py: 8,192 FLOP per clock and SM on sm100";
const ZZC: &str = "measured: zzc0721/torch-performance-test-data";
const MAMF: &str = "measured: stas00/ml-engineering 744d01e, matmul tables";

const NVIDIA: Row = Row { vendor: "NVIDIA", ..Row::BLANK };
const HGX: &[(u32, &str)] = &[(8, "HGX board")];

// One row reads as one, with the columns of `dense` in line: FP64, FP64 on matrix units, FP32, TF32, FP16, BF16, FP8,
// INT8, FP6, FP4.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "v100-sxm2", architecture: "Volta", form_factor: "SXM2",
        drivers: &["Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-SXM2-32GB-LS", "Tesla V100-SXM3-32GB"],
        aliases: &["v100-sxm", "v100 sxm2"],
        dense: [K(7.8), NO,     K(15.7),  NO,         K(125.0),   NO,         NO,          NO,          NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(0.9), tdp_watts: Some(300.0),
        unlike: &[
            Unlike { names: &["Tesla V100-SXM2-16GB"], memory_gb: Some(16.0), memory_tb_per_s: Some(0.9), tdp_watts: Some(300.0) },
            Unlike { names: &["v100-sxm2", "v100-sxm", "v100 sxm2"], memory_gb: None, memory_tb_per_s: Some(0.9), tdp_watts: Some(300.0) },
            Unlike { names: &["Tesla V100-SXM3-32GB"], memory_gb: Some(32.0), memory_tb_per_s: None, tdp_watts: None },
        ],
        link: "NVLink2", link_gb_per_s: Some(150.0), pcie_gb_per_s: Some(16.0),
        confidence: Datasheet, sources: &[V100_DATASHEET],
        note: "BF16 is emulated, at some 10 TFLOP/s. The SXM3 card of the DGX-2 clocks higher.",
        ..NVIDIA
    },
    Row {
        name: "v100-pcie", architecture: "Volta", form_factor: "PCIe",
        drivers: &["Tesla V100-PCIE-16GB", "Tesla V100-PCIE-32GB"],
        dense: [K(7.0), NO,     K(14.0),  NO,         K(112.0),   NO,         NO,          NO,          NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(0.9), tdp_watts: Some(250.0),
        unlike: &[
            Unlike { names: &["Tesla V100-PCIE-16GB"], memory_gb: Some(16.0), memory_tb_per_s: Some(0.9), tdp_watts: Some(250.0) },
            Unlike { names: &["v100-pcie"], memory_gb: None, memory_tb_per_s: Some(0.9), tdp_watts: Some(250.0) },
        ],
        pcie_gb_per_s: Some(16.0),
        confidence: Datasheet, sources: &[V100_DATASHEET],
        ..NVIDIA
    },
    Row {
        name: "v100s-pcie", architecture: "Volta", form_factor: "PCIe",
        drivers: &["Tesla V100S-PCIE-32GB"],
        aliases: &["v100s"],
        dense: [K(8.2), NO,     K(16.4),  NO,         K(130.0),   NO,         NO,          NO,          NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(1.134), tdp_watts: Some(250.0),
        pcie_gb_per_s: Some(16.0),
        confidence: Datasheet, sources: &[V100_DATASHEET],
        ..NVIDIA
    },
    Row {
        name: "t4", architecture: "Turing", form_factor: "PCIe low-profile",
        drivers: &["Tesla T4"],
        aliases: &["nvidia t4"],
        dense: [UNSAID, NO,     K(8.1),   NO,         K(65.0),    NO,         NO,          K(130.0),    NO,          NO],
        memory_gb: Some(16.0), memory_tb_per_s: Some(0.32), tdp_watts: Some(70.0),
        pcie_gb_per_s: Some(16.0),
        uncertain: &["memory bandwidth"],
        confidence: Datasheet, sources: &["NVIDIA T4 datasheet 951643 <https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/tesla-t4/t4-tensor-core-datasheet-951643.pdf>"],
        note: "No BF16 units. At 70 W it runs far below its boost clock.",
        ..NVIDIA
    },
    Row {
        name: "a10", architecture: "Ampere GA102", form_factor: "PCIe",
        drivers: &["NVIDIA A10"],
        dense: [UNSAID, NO,     K(31.2),  K(62.5),    K(125.0),   K(125.0),   NO,          K(250.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 125.0), (Bf16, Sparse, 250.0), (Fp16, Sparse, 250.0), (Int8, Sparse, 500.0)],
        memory_gb: Some(24.0), memory_tb_per_s: Some(0.6), tdp_watts: Some(150.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA A10 datasheet <https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf>"],
        note: "The A10M is another part.",
        ..NVIDIA
    },
    Row {
        name: "a10g", architecture: "Ampere GA102", form_factor: "PCIe (AWS G5)",
        drivers: &["NVIDIA A10G"],
        aliases: &["g5"],
        dense: [UNSAID, NO,     K(35.0),  K(35.0),    K(70.0),    K(70.0),    NO,          U(140.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 70.0), (Bf16, Sparse, 140.0), (Fp16, Sparse, 140.0), (Int8, Sparse, 280.0)],
        measured: &[(Bf16, 69.5), (Tf32, 34.7)],
        memory_gb: Some(24.0), memory_tb_per_s: Some(0.6), tdp_watts: Some(300.0),
        pcie_gb_per_s: Some(32.0),
        uncertain: &["TDP"],
        cited: &[(Fp32, "NVIDIA and AWS A10G datasheet"), (Int8, "NVIDIA and AWS A10G datasheet")],
        confidence: ThirdParty, sources: &["measured: zzc0721/torch-performance-test-data#126", "NVIDIA and AWS A10G datasheet", "Baseten, A10 vs A10G <https://www.baseten.co/blog/nvidia-a10-vs-a10g-for-ml-model-inference/>"],
        note: "Not an A10: tensor cores at half its rate.",
        ..NVIDIA
    },
    Row {
        name: "a30", architecture: "Ampere GA100", form_factor: "PCIe",
        drivers: &["NVIDIA A30"],
        dense: [K(5.2), K(10.3), K(10.3),  K(82.0),    K(165.0),   K(165.0),   NO,          K(330.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 165.0), (Bf16, Sparse, 330.0), (Fp16, Sparse, 330.0), (Int8, Sparse, 661.0)],
        memory_gb: Some(24.0), memory_tb_per_s: Some(0.933), tdp_watts: Some(165.0),
        link: "NVLink3 bridge (pair)", link_gb_per_s: Some(100.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA A30 datasheet", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/a30.yaml"],
        ..NVIDIA
    },
    Row {
        name: "a40", architecture: "Ampere GA102", form_factor: "PCIe",
        drivers: &["NVIDIA A40"],
        dense: [UNSAID, NO,     K(37.4),  K(74.8),    K(149.7),   K(149.7),   NO,          K(299.3),    NO,          NO],
        headlines: &[(Tf32, Sparse, 149.6), (Bf16, Sparse, 299.4), (Fp16, Sparse, 299.4), (Int8, Sparse, 598.6)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.696), tdp_watts: Some(300.0),
        link: "NVLink bridge (pair)", link_gb_per_s: Some(56.25), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA A40 datasheet <https://images.nvidia.com/content/Solutions/data-center/a40/nvidia-a40-datasheet.pdf>"],
        ..NVIDIA
    },
    Row {
        name: "a100-pcie-40gb", architecture: "Ampere GA100", form_factor: "PCIe",
        drivers: &["NVIDIA A100-PCIE-40GB"],
        aliases: &["a100-pcie-40"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        memory_gb: Some(40.0), memory_tb_per_s: Some(1.555), tdp_watts: Some(250.0),
        link: "NVLink3 bridge (pair)", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &[A100_DATASHEET, A100_WHITEPAPER, AMPERE_RATE],
        note: "No FP8 units: 624 is the INT8 figure.",
        ..NVIDIA
    },
    Row {
        name: "a100-pcie-80gb", architecture: "Ampere GA100", form_factor: "PCIe",
        drivers: &["NVIDIA A100 80GB PCIe"],
        aliases: &["a100-pcie-80"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        memory_gb: Some(80.0), memory_tb_per_s: Some(1.935), tdp_watts: Some(300.0),
        link: "NVLink3 bridge (pair)", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &[A100_DATASHEET, A100_WHITEPAPER, AMPERE_RATE, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/a100_pcie.yaml"],
        ..NVIDIA
    },
    Row {
        name: "a100-sxm4-40gb", architecture: "Ampere GA100", form_factor: "SXM4",
        drivers: &["NVIDIA A100-SXM4-40GB", "NVIDIA A100-PG509-200", "A100-SXM4-40GB"],
        aliases: &["a100-sxm-40"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        groups: HGX,
        memory_gb: Some(40.0), memory_tb_per_s: Some(1.555), tdp_watts: Some(400.0),
        link: "NVLink3", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &[A100_DATASHEET, A100_WHITEPAPER, AMPERE_RATE],
        ..NVIDIA
    },
    Row {
        name: "a100-sxm4-80gb", architecture: "Ampere GA100", form_factor: "SXM4",
        drivers: &["NVIDIA A100-SXM4-80GB"],
        aliases: &["a100", "a100-sxm", "a100-80gb"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        groups: HGX,
        memory_gb: Some(80.0), memory_tb_per_s: Some(2.039), tdp_watts: Some(400.0),
        unlike: &[
            Unlike { names: &["a100-sxm"], memory_gb: None, memory_tb_per_s: None, tdp_watts: Some(400.0) },
            Unlike { names: &["a100-80gb"], memory_gb: Some(80.0), memory_tb_per_s: None, tdp_watts: None },
            Unlike { names: &["a100"], memory_gb: None, memory_tb_per_s: None, tdp_watts: None },
        ],
        link: "NVLink3", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &[A100_DATASHEET, A100_WHITEPAPER, AMPERE_RATE, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/a100_sxm.yaml"],
        note: "The A100-SXM-64GB of one site is a custom part and not this row.",
        ..NVIDIA
    },
    Row {
        name: "a800-pcie", architecture: "Ampere GA100", form_factor: "PCIe",
        drivers: &["NVIDIA A800 80GB PCIe", "NVIDIA A800 80GB PCIe LC", "NVIDIA A800 40GB Active"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        memory_gb: Some(80.0), memory_tb_per_s: Some(1.935), tdp_watts: Some(300.0),
        unlike: &[
            Unlike { names: &["NVIDIA A800 40GB Active"], memory_gb: Some(40.0), memory_tb_per_s: Some(1.555), tdp_watts: Some(240.0) },
            Unlike { names: &["a800-pcie"], memory_gb: None, memory_tb_per_s: None, tdp_watts: None },
        ],
        link: "NVLink3 bridge, cut", link_gb_per_s: Some(200.0), pcie_gb_per_s: Some(32.0),
        uncertain: &["memory bandwidth"],
        confidence: Datasheet, sources: &["NVIDIA A800 datasheet"],
        note: "An A100 with NVLink cut. The 40GB Active card has other memory and power.",
        ..NVIDIA
    },
    Row {
        name: "a800-sxm4", architecture: "Ampere GA100", form_factor: "SXM4",
        drivers: &["NVIDIA A800-SXM4-80GB", "NVIDIA A800-SXM4-40GB"],
        aliases: &["a800", "a800-sxm"],
        dense: [K(9.7), K(19.5), K(19.5),  K(156.0),   K(312.0),   K(312.0),   NO,          K(624.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 312.0), (Bf16, Sparse, 624.0), (Fp16, Sparse, 624.0), (Int8, Sparse, 1_248.0)],
        groups: HGX,
        memory_gb: Some(80.0), memory_tb_per_s: Some(2.039), tdp_watts: Some(400.0),
        unlike: &[
            Unlike { names: &["NVIDIA A800-SXM4-40GB"], memory_gb: Some(40.0), memory_tb_per_s: None, tdp_watts: Some(400.0) },
            Unlike { names: &["a800-sxm4", "a800-sxm"], memory_gb: None, memory_tb_per_s: None, tdp_watts: Some(400.0) },
            Unlike { names: &["a800"], memory_gb: None, memory_tb_per_s: None, tdp_watts: None },
        ],
        link: "NVLink3, cut", link_gb_per_s: Some(200.0), pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA A800 datasheet"],
        note: "An A100 with NVLink cut.",
        ..NVIDIA
    },
    Row {
        name: "l4", architecture: "Ada AD104", form_factor: "PCIe low-profile",
        drivers: &["NVIDIA L4"],
        dense: [UNSAID, NO,     K(30.3),  K(60.0),    K(121.0),   K(121.0),   K(242.5),    K(242.5),    NO,          NO],
        headlines: &[(Tf32, Sparse, 120.0), (Bf16, Sparse, 242.0), (Fp16, Sparse, 242.0), (Fp8, Sparse, 485.0), (Int8, Sparse, 485.0)],
        measured: &[(Bf16, 70.9)],
        memory_gb: Some(24.0), memory_tb_per_s: Some(0.3), tdp_watts: Some(72.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/l4.yaml", "NVIDIA L4 page, twice as much and sparse <https://www.nvidia.com/en-us/data-center/l4/>", ZZC],
        note: "The product page prints sparse figures only.",
        ..NVIDIA
    },
    Row {
        name: "l20", architecture: "Ada AD102", form_factor: "PCIe",
        drivers: &["NVIDIA L20"],
        dense: [UNSAID, NO,     U(59.8),  K(59.8),    K(119.5),   K(119.5),   U(239.0),    U(239.0),    NO,          NO],
        measured: &[(Bf16, 114.1), (Tf32, 58.2)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.864), tdp_watts: Some(275.0),
        pcie_gb_per_s: Some(32.0),
        uncertain: &["TDP"],
        confidence: ThirdParty, sources: &["tables of verl 1dda039 and VeOmni d977449", ZZC],
        note: "Sold in China; its figures are those of tools that carry it.",
        ..NVIDIA
    },
    Row {
        name: "l40", architecture: "Ada AD102", form_factor: "PCIe",
        drivers: &["NVIDIA L40"],
        dense: [UNSAID, NO,     K(90.5),  K(90.5),    K(181.05),  K(181.05),  K(362.0),    K(362.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 181.0), (Bf16, Sparse, 362.1), (Fp16, Sparse, 362.1), (Fp8, Sparse, 724.0), (Int8, Sparse, 724.0)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.864), tdp_watts: Some(300.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA L40 datasheet", ADA_WHITEPAPER],
        note: "Its tensor cores do half of what an L40S's do in a clock.",
        ..NVIDIA
    },
    Row {
        name: "l40s", architecture: "Ada AD102", form_factor: "PCIe",
        drivers: &["NVIDIA L40S"],
        dense: [UNSAID, NO,     K(91.6),  K(183.0),   U(362.05),  U(362.05),  K(733.0),    K(733.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 366.0), (Bf16, Sparse, 733.0), (Fp16, Sparse, 733.0), (Fp8, Sparse, 1_466.0), (Int8, Sparse, 1_466.0)],
        measured: &[(Bf16, 269.0)],
        memory_gb: Some(48.0), memory_tb_per_s: Some(0.864), tdp_watts: Some(350.0),
        pcie_gb_per_s: Some(32.0),
        confidence: Datasheet, sources: &["NVIDIA L40S datasheet 28413 <https://resources.nvidia.com/en-us-l40s/l40s-datasheet-28413>", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/l40s.yaml", ZZC],
        note: "The vendor's own rows disagree: its sparse BF16 and dense FP8 figures both give 366.5.",
        ..NVIDIA
    },
    Row {
        name: "h100-sxm5", architecture: "Hopper GH100", form_factor: "SXM5",
        drivers: &["NVIDIA H100 80GB HBM3", "NVIDIA H100"],
        aliases: &["h100-sxm", "h100 sxm", "h100 sxm5", "hgx h100", "dgx h100"],
        dense: [K(33.5), K(66.9), K(66.9),  K(494.7),   K(989.4),   K(989.4),   K(1_978.9),  K(1_978.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 989.0), (Bf16, Sparse, 1_979.0), (Fp16, Sparse, 1_979.0), (Fp8, Sparse, 3_958.0), (Int8, Sparse, 3_958.0)],
        groups: HGX,
        memory_gb: Some(80.0), memory_tb_per_s: Some(3.35), tdp_watts: Some(700.0),
        unlike: &[
            Unlike { names: &["NVIDIA H100"], memory_gb: None, memory_tb_per_s: None, tdp_watts: Some(700.0) },
        ],
        link: "NVLink4", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &[H100_DATASHEET, GH100_WHITEPAPER, HOPPER_RATE, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/h100_sxm.yaml"],
        note: "Printed as 989, 989.4, 989.5 and 990. The bare name NVIDIA H100 is an SXM5 part with another memory size.",
        ..NVIDIA
    },
    Row {
        name: "h100-pcie", architecture: "Hopper GH100", form_factor: "PCIe",
        drivers: &["NVIDIA H100 PCIe"],
        dense: [K(25.6), K(51.2), K(51.2),  K(378.0),   K(756.0),   K(756.0),   K(1_513.0),  K(1_513.0),  NO,          NO],
        headlines: &[(Tf32, Sparse, 756.0), (Bf16, Sparse, 1_513.0), (Fp16, Sparse, 1_513.0), (Fp8, Sparse, 3_026.0), (Int8, Sparse, 3_026.0)],
        measured: &[(Bf16, 496.0)],
        memory_gb: Some(80.0), memory_tb_per_s: Some(2.0), tdp_watts: Some(350.0),
        link: "NVLink4 bridge (pair)", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &[H100_DATASHEET, GH100_WHITEPAPER, HOPPER_RATE, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/h100_pcie.yaml", ZZC],
        ..NVIDIA
    },
    Row {
        name: "h100-nvl", architecture: "Hopper GH100", form_factor: "PCIe NVL",
        drivers: &["NVIDIA H100 NVL"],
        dense: [K(30.0), K(60.0), K(60.0),  K(417.5),   K(835.5),   K(835.5),   K(1_670.5),  K(1_670.5),  NO,          NO],
        headlines: &[(Tf32, Sparse, 835.0), (Bf16, Sparse, 1_671.0), (Fp16, Sparse, 1_671.0), (Fp8, Sparse, 3_341.0), (Int8, Sparse, 3_341.0)],
        groups: &[(2, "pair of cards")],
        memory_gb: Some(94.0), memory_tb_per_s: Some(3.9), tdp_watts: Some(400.0),
        link: "NVLink4 bridge (pair)", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &[H100_DATASHEET, GH100_WHITEPAPER, HOPPER_RATE],
        note: "Per GPU; early sheets print the pair of cards.",
        ..NVIDIA
    },
    Row {
        name: "h800-sxm5", architecture: "Hopper GH100", form_factor: "SXM5",
        drivers: &["NVIDIA H800"],
        aliases: &["h800-sxm"],
        dense: [U(1.0), U(1.0), K(66.9),  K(494.7),   K(989.4),   K(989.4),   K(1_978.9),  K(1_978.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 989.0), (Bf16, Sparse, 1_979.0), (Fp16, Sparse, 1_979.0), (Fp8, Sparse, 3_958.0), (Int8, Sparse, 3_958.0)],
        groups: HGX,
        memory_gb: Some(80.0), memory_tb_per_s: Some(3.35), tdp_watts: Some(700.0),
        link: "NVLink4, cut", link_gb_per_s: Some(200.0), pcie_gb_per_s: Some(64.0),
        confidence: ThirdParty, sources: &["third-party H800 SXM sheets", "DeepSeek-V3 report and FlashMLA#75: 990 dense, rounded"],
        note: "Reports the bare name NVIDIA H800. An H100 with NVLink and FP64 cut; DeepSeek divides by 989.0.",
        ..NVIDIA
    },
    Row {
        name: "h800-pcie", architecture: "Hopper GH100", form_factor: "PCIe",
        drivers: &["NVIDIA H800 PCIe"],
        dense: [U(0.8), U(0.8), K(51.2),  K(378.0),   K(756.0),   K(756.0),   K(1_513.0),  K(1_513.0),  NO,          NO],
        headlines: &[(Tf32, Sparse, 756.0), (Bf16, Sparse, 1_513.0), (Fp16, Sparse, 1_513.0), (Fp8, Sparse, 3_026.0), (Int8, Sparse, 3_026.0)],
        measured: &[(Bf16, 504.0)],
        memory_gb: Some(80.0), memory_tb_per_s: Some(2.0), tdp_watts: Some(350.0),
        link: "NVLink4 bridge, cut", link_gb_per_s: Some(200.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["link"],
        confidence: ThirdParty, sources: &["third-party H800 PCIe sheets", ZZC],
        ..NVIDIA
    },
    Row {
        name: "h800-nvl", architecture: "Hopper GH100", form_factor: "PCIe NVL",
        drivers: &["NVIDIA H800 NVL"],
        dense: [UNSAID, UNSAID, U(60.0),  U(417.5),   U(835.5),   U(835.5),   U(1_670.5),  U(1_670.5),  NO,          NO],
        headlines: &[(Tf32, Sparse, 835.0), (Bf16, Sparse, 1_671.0), (Fp16, Sparse, 1_671.0), (Fp8, Sparse, 3_341.0), (Int8, Sparse, 3_341.0)],
        memory_gb: Some(94.0), memory_tb_per_s: Some(3.9), tdp_watts: Some(400.0),
        link: "NVLink4 bridge, cut", link_gb_per_s: Some(200.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["memory", "memory bandwidth", "TDP", "link", "PCIe"],
        confidence: Derived, sources: &["taken to equal the H100 NVL; no datasheet found"],
        note: "Only the name is confirmed; the figures are those of the H100 NVL.",
        ..NVIDIA
    },
    Row {
        name: "h200-sxm", architecture: "Hopper GH100", form_factor: "SXM5",
        drivers: &["NVIDIA H200"],
        aliases: &["hgx h200", "dgx h200"],
        dense: [K(33.5), K(66.9), K(66.9),  K(494.7),   K(989.4),   K(989.4),   K(1_978.9),  K(1_978.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 989.0), (Bf16, Sparse, 1_979.0), (Fp16, Sparse, 1_979.0), (Fp8, Sparse, 3_958.0), (Int8, Sparse, 3_958.0)],
        groups: HGX,
        memory_gb: Some(141.0), memory_tb_per_s: Some(4.8), tdp_watts: Some(700.0),
        link: "NVLink4", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &[H200_DATASHEET, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/h200_sxm.yaml"],
        ..NVIDIA
    },
    Row {
        name: "h200-nvl", architecture: "Hopper GH100", form_factor: "PCIe NVL",
        drivers: &["NVIDIA H200 NVL"],
        dense: [K(30.0), K(60.0), K(60.0),  K(417.5),   K(835.5),   K(835.5),   K(1_670.5),  K(1_670.5),  NO,          NO],
        headlines: &[(Tf32, Sparse, 835.0), (Bf16, Sparse, 1_671.0), (Fp16, Sparse, 1_671.0), (Fp8, Sparse, 3_341.0), (Int8, Sparse, 3_341.0)],
        memory_gb: Some(141.0), memory_tb_per_s: Some(4.8), tdp_watts: Some(600.0),
        link: "NVLink4 bridge (2/4-way)", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &[H200_DATASHEET],
        ..NVIDIA
    },
    Row {
        name: "h20", architecture: "Hopper GH100", form_factor: "SXM5",
        drivers: &["NVIDIA H20"],
        dense: [U(1.0), U(1.0), U(44.0),  U(74.0),    U(148.0),   U(148.0),   K(296.0),    K(296.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 148.0), (Bf16, Sparse, 296.0), (Fp16, Sparse, 296.0), (Fp8, Sparse, 592.0), (Int8, Sparse, 592.0)],
        groups: HGX,
        measured: &[(Bf16, 142.0), (Tf32, 71.8)],
        memory_gb: Some(96.0), memory_tb_per_s: Some(4.0), tdp_watts: Some(400.0),
        link: "NVLink4", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        confidence: ThirdParty, sources: &["Tom's Hardware, cited by torchtitan PR#2307", "tables of verl, VeOmni and Automodel", ZZC],
        note: "Capped: units × clock does not apply. No public datasheet.",
        ..NVIDIA
    },
    Row {
        name: "h20-3e", architecture: "Hopper GH100", form_factor: "SXM5",
        drivers: &["NVIDIA H20-3e"],
        aliases: &["h20-141gb"],
        dense: [U(1.0), U(1.0), U(44.0),  U(74.0),    U(148.0),   U(148.0),   K(296.0),    K(296.0),    NO,          NO],
        headlines: &[(Tf32, Sparse, 148.0), (Bf16, Sparse, 296.0), (Fp16, Sparse, 296.0), (Fp8, Sparse, 592.0), (Int8, Sparse, 592.0)],
        groups: HGX,
        memory_gb: Some(141.0), memory_tb_per_s: Some(4.8), tdp_watts: Some(500.0),
        link: "NVLink4", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["memory bandwidth", "TDP"],
        confidence: ThirdParty, sources: &["third-party tables"],
        note: "An H20 with 141 GB. The H20 NVL16 is another part.",
        ..NVIDIA
    },
    Row {
        name: "gh200-96gb", architecture: "Hopper GH100", form_factor: "Superchip (Grace+1 GPU)",
        drivers: &["NVIDIA GH200 480GB", "NVIDIA GH200 120GB"],
        aliases: &["gh200"],
        dense: [K(33.5), K(66.9), K(66.9),  K(494.7),   K(989.4),   K(989.4),   K(1_978.9),  K(1_978.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 989.0), (Bf16, Sparse, 1_979.0), (Fp16, Sparse, 1_979.0), (Fp8, Sparse, 3_958.0), (Int8, Sparse, 3_958.0)],
        groups: &[(2, "NVL2 board")],
        memory_gb: Some(96.0), memory_tb_per_s: Some(4.0), tdp_watts: Some(900.0),
        unlike: &[
            Unlike { names: &["gh200"], memory_gb: None, memory_tb_per_s: None, tdp_watts: Some(900.0) },
        ],
        link: "NVLink4 + NVLink-C2C", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["TDP"],
        confidence: Datasheet, sources: &[GH200_PAGE],
        note: "One GPU. The 480GB or 120GB of the name is the CPU's memory, the TDP the superchip's.",
        ..NVIDIA
    },
    Row {
        name: "gh200-144gb", architecture: "Hopper GH100", form_factor: "Superchip (Grace+1 GPU)",
        drivers: &["NVIDIA GH200 144G HBM3e"],
        aliases: &["gh200-144g"],
        dense: [K(33.5), K(66.9), K(66.9),  K(494.7),   K(989.4),   K(989.4),   K(1_978.9),  K(1_978.9),  NO,          NO],
        headlines: &[(Tf32, Sparse, 989.0), (Bf16, Sparse, 1_979.0), (Fp16, Sparse, 1_979.0), (Fp8, Sparse, 3_958.0), (Int8, Sparse, 3_958.0)],
        groups: &[(2, "NVL2 board")],
        memory_gb: Some(144.0), memory_tb_per_s: Some(4.9), tdp_watts: Some(900.0),
        link: "NVLink4 + NVLink-C2C", link_gb_per_s: Some(450.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["TDP"],
        confidence: Datasheet, sources: &[GH200_PAGE],
        note: "One GPU; the TDP is the superchip's.",
        ..NVIDIA
    },
    Row {
        name: "b100", architecture: "Blackwell", form_factor: "SXM6",
        dense: [U(30.0), U(30.0), U(60.0),  U(875.0),   U(1_750.0), U(1_750.0), U(3_500.0),  U(3_500.0),  U(3_500.0),  U(7_000.0)],
        headlines: &[(Tf32, Sparse, 1_800.0), (Bf16, Sparse, 3_500.0), (Fp16, Sparse, 3_500.0), (Fp8, Sparse, 7_000.0), (Int8, Sparse, 7_000.0), (Fp4, Sparse, 14_000.0)],
        groups: HGX,
        memory_gb: Some(192.0), memory_tb_per_s: Some(8.0), tdp_watts: Some(700.0),
        link: "NVLink5", link_gb_per_s: Some(900.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["memory", "memory bandwidth", "TDP", "link", "PCIe"],
        confidence: Whitepaper, sources: &["NVIDIA Blackwell architecture technical brief, HGX B100 column"],
        note: "Announced, hardly shipped; its driver string is not known.",
        ..NVIDIA
    },
    Row {
        name: "b200", architecture: "Blackwell", form_factor: "SXM6 (HGX/DGX)",
        drivers: &["NVIDIA B200"],
        aliases: &["hgx b200", "dgx b200"],
        dense: [K(37.0), K(37.0), U(75.0),  U(1_125.0), K(2_250.0), K(2_250.0), K(4_500.0),  K(4_500.0),  K(4_500.0),  K(9_000.0)],
        headlines: &[(Tf32, Sparse, 2_200.0), (Bf16, Sparse, 4_500.0), (Fp16, Sparse, 4_500.0), (Fp8, Sparse, 9_000.0), (Int8, Sparse, 9_000.0), (Fp4, Sparse, 18_000.0)],
        groups: HGX,
        measured: &[(Bf16, 1_745.0)],
        memory_gb: Some(180.0), memory_tb_per_s: Some(7.7), tdp_watts: Some(1_000.0),
        link: "NVLink5", link_gb_per_s: Some(900.0), pcie_gb_per_s: Some(64.0),
        uncertain: &["memory bandwidth"],
        cited: &[(Tf32, "derived: half of BF16; the HGX page prints 2,200 sparse")],
        confidence: Datasheet, sources: &[BLACKWELL_DATASHEET, HGX_PAGE, "NVIDIA DGX B200 datasheet <https://resources.nvidia.com/en-us-dgx-systems/dgx-b200-datasheet>", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/b200_sxm.yaml", BLACKWELL_RATE, MAMF],
        note: "Not a GB200. 2,250 as printed; the largest SM clock would give 2,382.5. 180 GB are usable of 192.",
        ..NVIDIA
    },
    Row {
        name: "gb200", architecture: "Blackwell", form_factor: "Superchip (per GPU; NVL72/NVL4)",
        drivers: &["NVIDIA GB200"],
        aliases: &["gb200 nvl72", "gb200 nvl4"],
        dense: [K(40.0), K(40.0), K(80.0),  K(1_250.0), K(2_500.0), K(2_500.0), K(5_000.0),  K(5_000.0),  K(5_000.0),  K(10_000.0)],
        headlines: &[(Tf32, Sparse, 2_500.0), (Bf16, Sparse, 5_000.0), (Fp16, Sparse, 5_000.0), (Fp8, Sparse, 10_000.0), (Int8, Sparse, 10_000.0), (Fp4, Sparse, 20_000.0)],
        groups: &[(2, "superchip"), (4, "NVL4 board"), (72, "NVL72 rack")],
        measured: &[(Bf16, 1_822.0)],
        memory_gb: Some(186.0), memory_tb_per_s: Some(8.0), tdp_watts: Some(1_200.0),
        link: "NVLink5", link_gb_per_s: Some(900.0), pcie_gb_per_s: Some(64.0),
        confidence: Datasheet, sources: &["NVIDIA GB200 NVL72 page <https://www.nvidia.com/en-us/data-center/gb200-nvl72/>", BLACKWELL_DATASHEET, "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/gb200.yaml", BLACKWELL_RATE, MAMF],
        note: "Per GPU; a superchip is two of them.",
        ..NVIDIA
    },
    Row {
        name: "b300", architecture: "Blackwell Ultra", form_factor: "SXM6 (HGX/DGX)",
        drivers: &["NVIDIA B300 SXM6 AC"],
        aliases: &["hgx b300", "dgx b300", "nvidia b300"],
        dense: [U(1.25), U(1.25), K(75.0),  U(1_125.0), K(2_250.0), K(2_250.0), K(4_500.0),  K(153.5),    K(4_500.0),  U(13_500.0)],
        headlines: &[(Tf32, Sparse, 2_200.0), (Bf16, Sparse, 4_500.0), (Fp16, Sparse, 4_500.0), (Fp8, Sparse, 9_000.0), (Int8, Sparse, 307.0), (Fp4, Sparse, 18_000.0)],
        groups: HGX,
        measured: &[(Bf16, 1_769.0)],
        memory_gb: Some(270.0), memory_tb_per_s: Some(7.7), tdp_watts: Some(1_100.0),
        link: "NVLink5", link_gb_per_s: Some(900.0), pcie_gb_per_s: Some(128.0),
        uncertain: &["memory", "memory bandwidth", "PCIe"],
        cited: &[(Tf32, "derived: half of BF16; the HGX page prints 2,200 sparse"), (Fp4, "NVIDIA HGX page: 108 PFLOP/s for 8")],
        confidence: Datasheet, sources: &["NVIDIA Blackwell Ultra datasheet", HGX_PAGE, "NVIDIA DGX B300 datasheet <https://resources.nvidia.com/en-us-dgx-systems/dgx-b300-datasheet>", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/b300_sxm.yaml", MAMF],
        note: "INT8 and FP64 are a fraction of a B200's. FP4 is printed as 14,000, too. 270 GB are usable of 288.",
        ..NVIDIA
    },
    Row {
        name: "gb300", architecture: "Blackwell Ultra", form_factor: "Superchip (per GPU; NVL72)",
        drivers: &["NVIDIA GB300"],
        aliases: &["gb300 nvl72"],
        dense: [U(1.3), U(1.3), K(80.0),  K(1_250.0), K(2_500.0), K(2_500.0), K(5_000.0),  K(165.0),    K(5_000.0),  K(15_000.0)],
        headlines: &[(Tf32, Sparse, 2_500.0), (Bf16, Sparse, 5_000.0), (Fp16, Sparse, 5_000.0), (Fp8, Sparse, 10_000.0), (Int8, Sparse, 330.0), (Fp4, Sparse, 20_000.0)],
        groups: &[(2, "superchip"), (72, "NVL72 rack")],
        memory_gb: Some(279.0), memory_tb_per_s: Some(8.0), tdp_watts: Some(1_400.0),
        link: "NVLink5", link_gb_per_s: Some(900.0), pcie_gb_per_s: Some(128.0),
        uncertain: &["memory", "PCIe"],
        confidence: Datasheet, sources: &["NVIDIA GB300 NVL72 page <https://www.nvidia.com/en-us/data-center/gb300-nvl72/>", "NVIDIA-authored: ai-dynamo/aiconfigurator 095f58a, systems/gb300.yaml"],
        note: "Per GPU; a superchip is two of them. INT8 and FP64 are a fraction of a GB200's.",
        ..NVIDIA
    },
    Row {
        name: "vr200", architecture: "Rubin (sm_107)", form_factor: "Superchip (per GPU package; NVL72)",
        aliases: &["vera rubin nvl72"],
        dense: [U(33.0), UNSAID, U(130.0), U(2_000.0), U(4_000.0), U(4_000.0), U(17_500.0), UNSAID,      U(17_500.0), U(35_000.0)],
        headlines: &[(Fp4, Compressed, 50_000.0)],
        groups: &[(2, "superchip"), (8, "NVL8 system"), (72, "NVL72 rack")],
        memory_gb: Some(288.0), memory_tb_per_s: Some(22.0),
        link: "NVLink6", link_gb_per_s: Some(1_800.0),
        uncertain: &["memory bandwidth", "memory", "link"],
        cited: &[(Fp8, "NVIDIA DGX Rubin NVL8: 140 PFLOP/s for 8")],
        confidence: Datasheet, sources: &["NVIDIA Vera Rubin NVL72 page, preliminary <https://www.nvidia.com/en-us/data-center/vera-rubin-nvl72/>", "NVIDIA DGX Rubin NVL8: 140 PFLOP/s at FP8 for 8"],
        note: "Preliminary. 50 PFLOP/s at FP4 is for inference with adaptive compression. Its driver string is not known.",
        ..NVIDIA
    },
];
