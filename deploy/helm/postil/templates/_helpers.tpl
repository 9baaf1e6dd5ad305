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
