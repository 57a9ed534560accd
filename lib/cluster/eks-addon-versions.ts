/**
 * Versions of the EKS add-ons, such as `v1.13.1-eksbuild.1`; `aws eks describe-addon-versions` lists them.
 *
 * Each that is left out: the version that EKS has as default for the cluster's Kubernetes version, read whenever Terraform
 * plans, so that a later plan may bring a newer one.
 */
export interface EksAddonVersions {
  /** `vpc-cni`: gives pods addresses of the VPC. */
  readonly vpcCni?: string;
  /** `kube-proxy`: leads traffic of services to pods. */
  readonly kubeProxy?: string;
  /** `coredns`: names of services. */
  readonly coreDns?: string;
  /** `eks-pod-identity-agent`: gives pods their IAM roles. */
  readonly podIdentityAgent?: string;
  /** `aws-ebs-csi-driver`: volumes for pods. */
  readonly ebsCsiDriver?: string;
}
