{{- define "postil.selector" -}}
app.kubernetes.io/name: postil
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "postil.labels" -}}
{{ include "postil.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "postil.cluster" -}}
{{ .Values.cloudNativePg.name | default (printf "%s-db" .Release.Name) }}
{{- end }}

{{- define "postil.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "postil.image" -}}
image: "{{ required "image.repository is needed" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "postil.environment" -}}
env:
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  - name: POSTIL_REVIEW_PROCESSES
    value: {{ .Values.review.processes | quote }}
  - name: POSTIL_REVIEW_MEMORY_MB
    value: {{ .Values.review.memoryMb | quote }}
  - name: POSTIL_MIRRORS_MAX_GB
    value: {{ .Values.mirrors.maxGb | quote }}
  - name: POSTIL_OPERATOR_TOKEN
    valueFrom:
      secretKeyRef:
        name: {{ required "existingSecret is needed" .Values.existingSecret }}
        key: POSTIL_OPERATOR_TOKEN
  - name: POSTIL_SECRET_KEY
    valueFrom:
      secretKeyRef:
        name: {{ .Values.existingSecret }}
        key: POSTIL_SECRET_KEY
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef:
        {{- if .Values.cloudNativePg.enabled }}
        name: {{ include "postil.cluster" . }}-app
        key: uri
        {{- else }}
        name: {{ .Values.existingSecret }}
        key: DATABASE_URL
        {{- end }}
{{- if or .Values.database.caSecret .Values.cloudNativePg.enabled }}
  # The default for URLs that do not set it themselves.
  - name: PGSSLMODE
    value: verify-full
  - name: PGSSLROOTCERT
    value: /etc/postil/database/{{ .Values.database.caKey }}
{{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
{{- end }}

{{- define "postil.files" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
volumeMounts:
  - name: data
    mountPath: /var/lib/postil
  - name: tmp
    mountPath: /tmp
  {{- if or .Values.database.caSecret .Values.cloudNativePg.enabled }}
  - name: database-ca
    mountPath: /etc/postil/database
    readOnly: true
  {{- end }}
{{- end }}

{{- define "postil.volumes" -}}
volumes:
  - name: data
    {{- if .Values.mirrors.storageClassName }}
    ephemeral:
      volumeClaimTemplate:
        spec:
          accessModes: ["ReadWriteOnce"]
          storageClassName: {{ .Values.mirrors.storageClassName }}
          resources:
            requests:
              storage: {{ add .Values.mirrors.maxGb 5 }}Gi
    {{- else }}
    emptyDir:
      sizeLimit: {{ add .Values.mirrors.maxGb 5 }}Gi
    {{- end }}
  - name: tmp
    emptyDir:
      sizeLimit: 2Gi
  {{- if or .Values.database.caSecret .Values.cloudNativePg.enabled }}
  - name: database-ca
    secret:
      secretName: {{ .Values.database.caSecret | default (printf "%s-ca" (include "postil.cluster" .)) }}
      # Only the certificate: the Secret may also contain the CA's private key.
      items:
        - key: {{ .Values.database.caKey }}
          path: {{ .Values.database.caKey }}
  {{- end }}
{{- end }}
