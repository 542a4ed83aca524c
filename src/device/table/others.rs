//! AWS's, Intel's, Huawei's and Cerebras' accelerators.

use crate::Confidence::{Derived, ThirdParty, VendorDocs, Whitepaper};
use crate::Precision::{Bf16, Fp4, Fp8, Fp16, Tf32};
use crate::device::row::Dense::{Known as K, Uncertain as U, Unpublished as UNSAID, Unsupported as NO};
use crate::device::row::Headline::Sparse;
use crate::device::row::{Row, Unlike};

const ZZC: &str = "measured: zzc0721/torch-performance-test-data";
const ASCEND: &str = "torchtitan-npu, table of Ascend peaks";
const CANN: &str = "CANN, Ascend910B2C.ini";
const STAS: &str = "stas00/ml-engineering 744d01e, compute/accelerator/README.md";
const CANN_950: &str = "gitcode CANN ops-nn#6033, Ascend 950 whitepaper, table 3-1";

const AWS: Row = Row { vendor: "AWS", ..Row::BLANK };
const INTEL: Row = Row { vendor: "Intel", ..Row::BLANK };
const HUAWEI: Row = Row { vendor: "Huawei", ..Row::BLANK };
const CEREBRAS: Row = Row { vendor: "Cerebras", ..Row::BLANK };

// One row reads as one, with the columns of `dense` in line: FP64, FP64 on matrix units, FP32, TF32, FP16, BF16, FP8,
// INT8, FP6, FP4.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row {
        name: "trn1", architecture: "NeuronCore-v2", form_factor: "EC2 trn1/trn1n",
        unit: "chip", devices_per_unit: 2, part: "NeuronCore",
        drivers: &["trn1", "trn1n"],
        aliases: &["trainium1"],
        dense: [NO,     NO,     K(47.5),  K(190.0),   K(190.0),   K(190.0),   K(190.0),    U(380.0),    NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(0.82),
        link: "NeuronLink-v2", link_gb_per_s: Some(192.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["AWS Neuron docs, aws-neuron-sdk 81ce03a <https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-hardware/trainium.html>"],
        note: "A device is a NeuronCore. FP8 at the rate of BF16.",
        ..AWS
    },
    Row {
        name: "trn2", architecture: "NeuronCore-v3", form_factor: "EC2 trn2/trn2n/trn2u",
        unit: "chip", devices_per_unit: 4, part: "pair of NeuronCores",
        drivers: &["trn2", "trn2n", "trn2u"],
        aliases: &["trainium2"],
        dense: [NO,     NO,     K(181.0), K(667.0),   K(667.0),   K(667.0),   K(1_299.0),  NO,          NO,          NO],
        headlines: &[(Bf16, Sparse, 2_563.0), (Fp16, Sparse, 2_563.0), (Tf32, Sparse, 2_563.0), (Fp8, Sparse, 2_563.0)],
        memory_gb: Some(96.0), memory_tb_per_s: Some(2.9), tdp_watts: Some(500.0),
        link: "NeuronLink-v3", link_gb_per_s: Some(640.0),
        uncertain: &["TDP", "link"],
        confidence: VendorDocs, sources: &["AWS Neuron docs, aws-neuron-sdk 81ce03a <https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-hardware/trainium2.html>"],
        note: "A device is two NeuronCores (LNC=2). The sparse headline is 3.84 times the dense BF16.",
        ..AWS
    },
    Row {
        name: "trn3", architecture: "NeuronCore-v4", form_factor: "EC2 trn3",
        unit: "chip", devices_per_unit: 4, part: "pair of NeuronCores",
        drivers: &["trn3", "trn3u"],
        aliases: &["trainium3"],
        dense: [NO,     NO,     K(183.0), K(671.0),   K(671.0),   K(671.0),   K(2_517.0),  NO,          NO,          K(2_517.0)],
        headlines: &[(Bf16, Sparse, 2_517.0), (Fp16, Sparse, 2_517.0), (Tf32, Sparse, 2_517.0)],
        memory_gb: Some(144.0), memory_tb_per_s: Some(4.9),
        link: "NeuronLink-v4", link_gb_per_s: Some(1_280.0),
        uncertain: &["link"],
        confidence: VendorDocs, sources: &["AWS Neuron docs, aws-neuron-sdk 81ce03a <https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-hardware/trainium3.html>"],
        note: "A device is two NeuronCores (LNC=2). Sparse BF16 equals dense MXFP8.",
        ..AWS
    },
    Row {
        name: "gaudi2", architecture: "Gaudi2", form_factor: "OAM HL-225",
        unit: "card", part: "card",
        drivers: &["HL-225", "GAUDI2"],
        dense: [NO,     NO,     UNSAID,   UNSAID,     UNSAID,     K(432.0),   K(865.0),    UNSAID,      NO,          NO],
        memory_gb: Some(96.0), memory_tb_per_s: Some(2.46), tdp_watts: Some(600.0),
        link: "24x100GbE RoCE", link_gb_per_s: Some(300.0), pcie_gb_per_s: Some(32.0),
        confidence: Whitepaper, sources: &["Intel Gaudi 2 white paper <https://www.intel.com/content/www/us/en/content-details/839363/intel-gaudi-2-ai-accelerators-white-paper.html>", STAS],
        note: "Three of its 24 ports leave the node.",
        ..INTEL
    },
    Row {
        name: "gaudi3", architecture: "Gaudi3", form_factor: "OAM HL-325L",
        unit: "card", part: "card",
        drivers: &["HL-325L", "GAUDI3"],
        dense: [NO,     NO,     K(229.0), K(459.0),   U(459.0),   U(1_678.0), U(1_678.0),  UNSAID,      NO,          NO],
        memory_gb: Some(128.0), memory_tb_per_s: Some(3.7), tdp_watts: Some(900.0),
        link: "24x200GbE RoCE", link_gb_per_s: Some(600.0), pcie_gb_per_s: Some(64.0),
        confidence: Derived, sources: &[STAS, "Intel Gaudi 3 white paper, 1,835 at 1.75 GHz <https://www.intel.com/content/www/us/en/content-details/817486/intel-gaudi-3-ai-accelerator-white-paper.html>"],
        note: "The white paper prints 1,835, for 1.75 GHz; the card runs at 1.6. FP16 is far below BF16.",
        ..INTEL
    },
    Row {
        name: "max-1550", architecture: "Xe-HPC (Ponte Vecchio)", form_factor: "OAM",
        unit: "package", devices_per_unit: 2, part: "tile",
        drivers: &["Intel(R) Data Center GPU Max 1550"],
        aliases: &["max 1550"],
        dense: [U(52.0), UNSAID, U(52.0),  U(419.0),   U(839.0),   U(839.0),   NO,          U(1_678.0),  NO,          NO],
        memory_gb: Some(128.0), memory_tb_per_s: Some(3.28), tdp_watts: Some(600.0),
        link: "Xe Link", pcie_gb_per_s: Some(64.0),
        confidence: Whitepaper, sources: &["Intel Data Center GPU Max product brief", "Intel oneAPI GPU optimisation guide"],
        note: "A device is a tile, of which a package has two.",
        ..INTEL
    },
    Row {
        name: "ascend-910b1", architecture: "DaVinci", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend910B1"],
        aliases: &["910b1"],
        dense: [NO,     NO,     UNSAID,   NO,         U(378.9),   U(378.9),   NO,          U(757.8),    NO,          NO],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.6),
        link: "HCCS/UB",
        confidence: ThirdParty, sources: &[ASCEND, CANN],
        note: "The cube units alone; some 400 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "ascend-910b2", architecture: "DaVinci", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend910B2", "Ascend910B2C"],
        aliases: &["910b2"],
        dense: [NO,     NO,     UNSAID,   NO,         K(353.9),   K(353.9),   NO,          U(707.8),    NO,          NO],
        measured: &[(Bf16, 315.0)],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.6),
        link: "HCCS/UB",
        confidence: ThirdParty, sources: &[ASCEND, CANN, ZZC],
        note: "The cube units alone; 376 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "ascend-910b3", architecture: "DaVinci", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend910B3"],
        aliases: &["910b3"],
        dense: [NO,     NO,     UNSAID,   NO,         K(294.9),   K(294.9),   NO,          U(589.8),    NO,          NO],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.6),
        link: "HCCS/UB",
        confidence: ThirdParty, sources: &[ASCEND, CANN],
        note: "The cube units alone; 313 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "ascend-910b4", architecture: "DaVinci", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend910B4", "Ascend910B4-1"],
        aliases: &["910b4"],
        dense: [NO,     NO,     UNSAID,   NO,         U(245.8),   U(245.8),   NO,          U(491.5),    NO,          NO],
        memory_gb: Some(32.0), memory_tb_per_s: Some(0.8),
        unlike: &[
            Unlike { names: &["Ascend910B4-1", "ascend-910b4", "910b4"], memory_gb: None, memory_tb_per_s: None, tdp_watts: None },
        ],
        link: "HCCS/UB",
        uncertain: &["memory", "memory bandwidth"],
        confidence: ThirdParty, sources: &[ASCEND, CANN],
        note: "The cube units alone. Huawei's 280 cannot be had from any clock in its files.",
        ..HUAWEI
    },
    Row {
        name: "ascend-910c-die", architecture: "DaVinci", form_factor: "OAM",
        unit: "die", part: "die",
        drivers: &["Ascend910_9362", "Ascend910_9372", "Ascend910_9381", "Ascend910_9382", "Ascend910_9391", "Ascend910_9392"],
        aliases: &["910c die", "910_93"],
        dense: [NO,     NO,     UNSAID,   NO,         U(353.9),   U(353.9),   NO,          U(707.8),    NO,          NO],
        groups: &[(2, "package")],
        memory_gb: Some(64.0), memory_tb_per_s: Some(1.6),
        link: "HCCS/UB", link_gb_per_s: Some(196.0),
        confidence: ThirdParty, sources: &[ASCEND, CANN],
        note: "A device is one of two dies. Not all of these names have as many cores.",
        ..HUAWEI
    },
    Row {
        name: "ascend-910c", architecture: "DaVinci", form_factor: "OAM",
        unit: "package", devices_per_unit: 2, part: "die",
        aliases: &["910c"],
        dense: [NO,     NO,     UNSAID,   NO,         U(707.8),   U(707.8),   NO,          U(1_415.6),  NO,          NO],
        memory_gb: Some(128.0), memory_tb_per_s: Some(3.2),
        link: "HCCS/UB", link_gb_per_s: Some(392.0),
        uncertain: &["link"],
        confidence: ThirdParty, sources: &[ASCEND, CANN],
        note: "A package has 707.8, and its two dies show as devices; 752 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "ascend-950pr", architecture: "Ascend 950", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend950PR_9579", "Ascend950PR_9582", "Ascend950PR_957b"],
        aliases: &["950pr"],
        dense: [NO,     NO,     UNSAID,   NO,         U(432.0),   U(432.0),   U(865.0),    UNSAID,      NO,          U(1_730.0)],
        memory_gb: Some(128.0), memory_tb_per_s: Some(1.6),
        link: "HCCS/UB", link_gb_per_s: Some(840.0),
        confidence: ThirdParty, sources: &[CANN_950],
        note: "The cube units alone; 486 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "ascend-950dt", architecture: "Ascend 950", form_factor: "OAM",
        unit: "NPU", part: "NPU",
        drivers: &["Ascend950DT_9579", "Ascend950DT_9582"],
        aliases: &["950dt"],
        dense: [NO,     NO,     UNSAID,   NO,         K(486.0),   K(486.0),   U(919.0),    UNSAID,      NO,          U(1_783.0)],
        memory_tb_per_s: Some(4.0),
        link: "HCCS/UB", link_gb_per_s: Some(840.0),
        uncertain: &["memory"],
        cited: &[(Fp8, "Huawei Atlas 950 SuperPoD table, a 64th"), (Fp4, "Huawei Atlas 950 SuperPoD table, a 64th")],
        confidence: ThirdParty, sources: &[CANN_950, "Huawei Atlas 950 SuperPoD table <https://www.hiascend.com/en/hardware/cluster?tag=950>, by way of stas00/ml-engineering"],
        note: "The cube units alone; 547 with the vector units.",
        ..HUAWEI
    },
    Row {
        name: "wse-3", architecture: "WSE-3", form_factor: "CS-3 system",
        unit: "wafer", part: "wafer",
        aliases: &["cs-3"],
        dense: [NO,     NO,     UNSAID,   NO,         UNSAID,     UNSAID,     UNSAID,      UNSAID,      NO,          NO],
        headlines: &[(Fp16, Sparse, 125_000.0)],
        memory_gb: Some(44.0), memory_tb_per_s: Some(21_000.0), tdp_watts: Some(23_000.0),
        uncertain: &["TDP"],
        confidence: ThirdParty, sources: &["Tom's Hardware and Next Platform, March 2024", "Yobitel, which labels the 125 PFLOP/s sparse"],
        note: "Its 125 PFLOP/s are said to be sparse; no dense figure is published.",
        ..CEREBRAS
    },
];
