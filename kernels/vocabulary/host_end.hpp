// This header is included after a kernel's text, and restores the ordinary keywords.
#undef if
#undef for
#undef while
#undef do
#undef switch
#undef goto
#undef UPSWEEP_OPEN
#undef UPSWEEP_ROLLED
#undef launch_tail
#undef launch_now
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef __global__
#undef __launch_bounds__
