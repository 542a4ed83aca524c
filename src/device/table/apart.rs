//! Names that stand for no row: those of several devices, and those of devices whose peak is not known.

/// A name of several devices: the name, their rows, and how to tell them apart.
pub(in crate::device) const SHARED: &[(&str, &[&str], &str)] = &[
    ("AMD Instinct MI250X / MI250", &["mi250x-gcd", "mi250-gcd"], "110 compute units are an MI250X's, 104 an MI250's"),
    ("v100", &["v100-sxm2", "v100-pcie", "v100s-pcie"], "the form factor decides"),
    ("rtx pro 6000", &["rtx-pro-6000-ws", "rtx-pro-6000-maxq", "rtx-pro-6000-server"], "the edition decides"),
    ("mi300", &["mi300x", "mi300a"], "the MI300A is the one with CPU cores"),
    ("trainium", &["trn1", "trn2", "trn3"], "the generation decides"),
    ("hpu", &["gaudi2", "gaudi3"], "the generation decides"),
    ("910b", &["ascend-910b1", "ascend-910b2", "ascend-910b3", "ascend-910b4"], "the bin decides"),
];

/// A name that is known to be no row's, and why.
pub(in crate::device) const ABSENT: &[(&str, &str)] = &[
    ("AMD Instinct MI308X", CAPPED),
    ("AMD Instinct MI308X HF", CAPPED),
    ("mi308x", CAPPED),
    ("NVIDIA A100-SXM-64GB", "it is a custom part of one site, and no A100 of the table"),
    ("NVIDIA B100", "no driver is known to report it; the announced device is `b100`"),
    ("NVIDIA Graphics Device", NAMELESS),
    ("AMD Radeon Graphics", NAMELESS),
    ("NVIDIA GeForce RTX 3090 Ti", NEIGHBOUR),
    ("NVIDIA GeForce RTX 4090 D", NEIGHBOUR),
    ("NVIDIA GeForce RTX 5090 D", NEIGHBOUR),
    ("NVIDIA GeForce RTX 5090 D v2", NEIGHBOUR),
    ("NVIDIA RTX 6000D", NEIGHBOUR),
    ("NVIDIA H20 NVL16", NEIGHBOUR),
    ("NVIDIA A10M", NEIGHBOUR),
    ("NVIDIA RTX A4000", NEIGHBOUR),
    ("TPU v4 lite", NEIGHBOUR),
];

const CAPPED: &str = "its driver may cap the rate of each precision, and no peak is published";
const NAMELESS: &str = "it is what a driver reports of a device that it has no name for";
const NEIGHBOUR: &str = "it is another part than its neighbours by name, and its peak is not verified";
